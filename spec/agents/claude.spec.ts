/** Claude Code in mux, with its hooks and its permission dialog. */
// spec-timeout: 600
import { scenario } from './scenario.ts';

scenario({
  name: 'claude',
  call: { name: 'Bash', input: { command: 'touch made', description: 'Make a file' } },
  env: port => ({
    ANTHROPIC_BASE_URL: `http://127.0.0.1:${port}`,
    ANTHROPIC_API_KEY: 'mock-key',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
  }),
  files: (_port, work) => ({
    '.claude.json': JSON.stringify({
      hasCompletedOnboarding: true,
      theme: 'dark',
      customApiKeyResponses: { approved: ['mock-key'], rejected: [] },
      projects: { [work]: { hasTrustDialogAccepted: true } },
    }),
  }),
  prompt: /^[│ ]*❯/m,
  dialog: { shows: /Do you want to proceed\?/, yes: '\r', no: '\x1b' },
  asksByHook: true,
});
