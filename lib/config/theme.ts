/**
 * A theme: every role of base/styled.ts as colours and attributes.
 */
import type { Role } from '../base/styled.ts';

/** `default` follows the terminal; else 24-bit with the palette entries chosen to stand for it. */
export type ThemeColor =
  | 'default'
  | {
      /** 0xRRGGBB */
      readonly rgb: number;
      /** Palette index 0–255 for terminals without 24-bit colour. */
      readonly c256: number;
      /** Palette index 0–15 for terminals with 16 colours. */
      readonly c16: number;
    };

export interface ThemeStyle {
  readonly fg: ThemeColor;
  readonly bg: ThemeColor;
  readonly bold: boolean;
  readonly dim: boolean;
  readonly italic: boolean;
  readonly underline: boolean;
  readonly inverse: boolean;
}

export interface Theme {
  readonly name: string;
  readonly roles: Readonly<Record<Role, ThemeStyle>>;
}
