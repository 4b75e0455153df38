/** Codex in mux, with its notices and its permission dialog. */
// spec-timeout: 600
import { scenario } from './scenario.ts';

scenario({
  name: 'codex',
  call: {
    name: 'exec_command',
    input: {
      cmd: 'touch made',
      sandbox_permissions: 'require_escalated',
      justification: 'May I make a file?',
    },
  },
  env: () => ({ MOCK_KEY: 'mock-key' }),
  files: (port, work) => ({
    '.codex/config.toml': `
model = "gpt-5"
model_provider = "mock"
approval_policy = "on-request"
check_for_update_on_startup = false
[model_providers.mock]
name = "mock"
base_url = "http://127.0.0.1:${port}/v1"
wire_api = "responses"
env_key = "MOCK_KEY"
[projects."${work}"]
trust_level = "trusted"
`,
  }),
  prompt: /^[│ ]*›/m,
  dialog: { shows: /Would you like to|May I make a file/, yes: 'y', no: '\x1b' },
  asksByHook: false,
});
