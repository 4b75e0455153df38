/** pi in mux, with the extension by which it reports. */
// spec-timeout: 600
import { scenario } from './scenario.ts';

scenario({
  name: 'pi',
  call: { name: 'bash', input: { command: 'touch made' } },
  env: () => ({ PI_OFFLINE: '1' }),
  files: port => ({
    '.pi/agent/models.json': JSON.stringify({
      providers: {
        mock: {
          baseUrl: `http://127.0.0.1:${port}/v1`,
          api: 'openai-completions',
          apiKey: 'mock-key',
          models: [{ id: 'mock' }],
        },
      },
    }),
  }),
  model: 'mock/mock',
  prompt: /\d%\/\d+k/,
  asksByHook: false,
});
