/** The part of bash-parser 0.5.0 that is used; the package has no types of its own. */
declare module 'bash-parser' {
  /** Parses a script. Throws on what it does not know. */
  export default function parse(source: string, options: { readonly mode: 'bash' }): object;
}
