/** The `ai` section of the settings as providers and the registry read it. */

/** How a provider is spoken to. */
export type ProviderKind = 'anthropic' | 'openai' | 'ollama';

interface GivenEntry {
  readonly kind?: ProviderKind | undefined;
  readonly api_key_env?: string | undefined;
  readonly api_key_command?: string | undefined;
  readonly base_url?: string | undefined;
  readonly models?: readonly string[] | undefined;
}

interface GivenPrices {
  readonly input_token_price_per_million?: number | undefined;
  readonly output_token_price_per_million?: number | undefined;
  readonly output_reasoning_token_price_per_million?: number | undefined;
  readonly input_token_cache_read_price_per_million?: number | undefined;
  readonly input_token_cache_write_price_per_million?: number | undefined;
}

export interface AiSettings {
  readonly prefer_local: boolean;
  readonly providers: Readonly<Record<string, GivenEntry>>;
  readonly models: readonly {
    readonly name: string;
    readonly alias?: string | undefined;
    readonly context_token_limit?: number | undefined;
    readonly output_token_limit?: number | undefined;
    readonly reasoning?: boolean | undefined;
    readonly tool_call?: boolean | undefined;
    readonly prices?: GivenPrices | undefined;
  }[];
}

/** One provider with everything settled. */
export interface ProviderSettings {
  readonly name: string;
  readonly kind: ProviderKind;
  /** Name of the variable with its key; '' for none. */
  readonly keyVariable: string;
  /** Command that prints its key; '' for none. */
  readonly keyCommand: string;
  /** '' for the vendor's own. */
  readonly baseUrl: string;
  /** It is the vendor's own service, whose models are known. */
  readonly isOfficial: boolean;
  readonly models: readonly string[];
}

/** The settings' providers by name; those that are built in stand among them already. */
export function providerEntries({ providers }: AiSettings): ReadonlyMap<string, ProviderSettings> {
  return new Map(Object.entries(providers).map(([name, entry]) => [name, settled(name, entry)]));
}

function settled(name: string, entry: GivenEntry): ProviderSettings {
  const {
    kind = 'openai',
    base_url: baseUrl = '',
    api_key_env = '',
    api_key_command = '',
    models = [],
  } = entry;
  const isOfficial = baseUrl === '' || /^https:\/\/api\.(?:openai|anthropic)\.com(?:\/|$)/.test(baseUrl);
  return { name, kind, keyVariable: api_key_env, keyCommand: api_key_command, baseUrl, isOfficial, models };
}
