/**
 * Which hosts an allow-list means. Pure.
 */
import type { Network } from '../config/leaf.ts';

/** Ports that an entry without one stands for: those of http and https. */
const USUAL_PORTS: ReadonlySet<number> = new Set([80, 443]);

/**
 * Whether `host` may be connected to. Entries are names (`example.com`), everything below a name (`*.example.com`, not
 * the name itself) or addresses, with a port (`example.com:8080`, `[::1]:80`) or for the usual two.
 */
export function isHostAllowed(network: Network, host: string, port = 443): boolean {
  if (network === 'open') return true;
  if (network === 'none') return false;
  const wanted = canonicalHost(host);
  return wanted !== '' && network.allow.some(entry => matches(entry, wanted, port));
}

/** A host without brackets, in small letters, and without the dot that ends a full name. */
export function canonicalHost(host: string): string {
  return host
    .toLowerCase()
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/\.$/, '');
}

/** `example.com:8080` → name and port; the port is undefined where there is none, or it is no number. */
export function splitPort(text: string): { readonly host: string; readonly port: number | undefined } {
  const match = /^(\[[^\]]*\]|[^:]*)(?::(\d{1,5}))?$/.exec(text);
  // An address of IPv6 without brackets has no port.
  if (!match) return { host: text, port: undefined };
  const port = match[2] === undefined ? undefined : Number(match[2]);
  return { host: match[1]!, port };
}

function matches(entry: string, host: string, port: number): boolean {
  const { host: pattern, port: only } = splitPort(entry);
  if (only === undefined ? !USUAL_PORTS.has(port) : only !== port) return false;
  const name = canonicalHost(pattern);
  if (name === '*') return true;
  return name.startsWith('*.')
    ? host.endsWith(name.slice(1)) && host.length > name.length - 1
    : host === name;
}
