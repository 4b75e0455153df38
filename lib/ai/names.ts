/** Names of resources: what they are made of, and what ids may be. */

/** The last part of a name: RFC 1034 in lower case. */
const ID = /^[a-z0-9](-?[a-z0-9])*$/;
const ID_MAX = 63;

/** Whether a client may choose this id. */
export function isId(text: string): boolean {
  return text.length <= ID_MAX && ID.test(text);
}

/** One segment of a name, whatever made it. */
const SEGMENT = '[^/\\s]{1,255}';
const PARENT = new RegExp(`^organizations/${SEGMENT}/users/${SEGMENT}$`);
const CHAT = new RegExp(`^(organizations/${SEGMENT}/users/${SEGMENT})/chats/(${SEGMENT})$`);
const MESSAGE = new RegExp(
  `^(organizations/${SEGMENT}/users/${SEGMENT}/chats/${SEGMENT})/messages/(${SEGMENT})$`,
);

export function isParent(name: string): boolean {
  return PARENT.test(name);
}

/** The parent and the id of a chat; undefined where it names none. */
export function parseChat(name: string): { readonly parent: string; readonly id: string } | undefined {
  const found = CHAT.exec(name);
  return found ? { parent: found[1]!, id: found[2]! } : undefined;
}

/** The chat and the id of a message; undefined where it names none. */
export function parseMessage(name: string): { readonly chat: string; readonly id: string } | undefined {
  const found = MESSAGE.exec(name);
  return found ? { chat: found[1]!, id: found[2]! } : undefined;
}
