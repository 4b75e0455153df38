/** What a multiplexer around us is told of our state, so that it shows who needs the person. */

/** OSC 7501, as agents that know it write it: terminals that do not know it show nothing. */
export function stateSequence(state: 'idle' | 'working' | 'approval'): string {
  return `\x1b]7501;state=${state}:app=mux-chat\x1b\\`;
}
