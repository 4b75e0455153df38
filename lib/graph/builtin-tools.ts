/**
 * Names of the tools that need no tool set. A bare name in a role means one of these before a tool set at the root.
 */
export const BUILTIN_TOOLS: ReadonlySet<string> = new Set([
  'read_files',
  'search_lores',
  'exec_shell',
  'diff',
  'replace',
  'agent',
  'write_file',
  'glob',
  'grep',
  'list_dir',
  'read_job',
  'stop_job',
  'propose_lore',
  'remember',
  'fetch_url',
  'write_todos',
  'send_message',
  'read_messages',
  'get_document',
  'list_documents',
  'put_document',
]);
