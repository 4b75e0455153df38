export const disagreement = (_: string): string | undefined => undefined;
