import type { FieldView } from '../../worker/commands/data.ts'

export type Verifiable =
  /** There is nothing to verify, or no way to. */
  | { readonly kind: 'never' }
  | { readonly kind: 'verified'; readonly at: string }
  /** Codes are mailed to the address of the account only, so another address cannot be shown to be theirs. */
  | { readonly kind: 'other_address' }
  | { readonly kind: 'open'; readonly by: 'email' | 'sms' }

export function verifiable({ provenBy, value }: FieldView, accountEmail: string): Verifiable {
  if (value === null || !value.isOpened) return { kind: 'never' }
  if (value.verifiedAt !== null) return { kind: 'verified', at: value.verifiedAt }
  if (provenBy === null) return { kind: 'never' }
  if (provenBy === 'email' && value.text !== accountEmail) return { kind: 'other_address' }
  return { kind: 'open', by: provenBy }
}
