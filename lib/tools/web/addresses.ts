/**
 * Which addresses belong to everybody: a page of the web is fetched from those alone, so that no page, and nobody who
 * writes one, reaches what only this machine or its network can reach.
 */
import { BlockList, isIP } from 'node:net';

/** Special ranges of IPv4 (IANA registry, RFC 6890): this machine, private networks, links, tests, groups, and reserved ones. */
const V4: readonly (readonly [string, number])[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
];

/** Ranges of IPv6 that are no machine of everybody's, or lead to an IPv4 address that is not looked at. */
const V6: readonly (readonly [string, number])[] = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
];

/** Addresses of machines (RFC 4291, global unicast); all others are something else. */
const UNICAST: readonly (readonly [string, number])[] = [['2000::', 3]];

const CLOSED_V4 = listOf(V4, 'ipv4');
const CLOSED_V6 = listOf(V6, 'ipv6');
const OPEN_V6 = listOf(UNICAST, 'ipv6');

function listOf(ranges: readonly (readonly [string, number])[], family: 'ipv4' | 'ipv6'): BlockList {
  const list = new BlockList();
  for (const [address, bits] of ranges) list.addSubnet(address, bits, family);
  return list;
}

/** Whether anybody may reach it from anywhere. What is no address is not. */
export function isPublic(address: string): boolean {
  const family = isIP(address);
  if (family === 4) return !CLOSED_V4.check(address, 'ipv4');
  return family === 6 && OPEN_V6.check(address, 'ipv6') && !CLOSED_V6.check(address, 'ipv6');
}
