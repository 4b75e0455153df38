/** Where the server's AiService listens: asked by commands that speak to models, typed by nobody. */
import { command } from './define.ts';

export const AI_SERVICE_COMMAND = command({
  name: 'ai-service',
  group: 'Screen',
  text: 'Tell where AiService listens, as JSON, or begin to start it and tell nothing',
  exec: context => context.print(context.host.aiService()),
});
