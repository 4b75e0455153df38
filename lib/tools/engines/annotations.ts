/** Annotations of the tools of engines, as AiService and AiEngine agree on them. */
const PREFIX = 'ai-engine.malonaz.com/';

export const KEYS = {
  service: `${PREFIX}grpc-service`,
  /** The full name, or only that of the method. */
  method: `${PREFIX}grpc-method`,
  message: `${PREFIX}proto-message`,
  /** `discovery` or `generate-rpc-request`. */
  type: `${PREFIX}tool-type`,
  fieldMask: `${PREFIX}generation-field-mask`,
  set: `${PREFIX}tool-set-name`,
  discoverable: `${PREFIX}discoverable-tool`,
  preDiscovered: `${PREFIX}pre-discovered-tool`,
  /** On results of discoveries: names with commas between them. */
  discovered: `${PREFIX}discovered-tools`,
} as const;

/** Values of `KEYS.type`. */
export const TYPES = { discovery: 'discovery', rpc: 'generate-rpc-request' } as const;
/** Who runs their calls. */
export const HANDLER_ID = 'engine';
