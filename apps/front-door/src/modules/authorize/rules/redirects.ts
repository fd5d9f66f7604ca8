import type { Fault, ReturnAddress } from '../model.ts'

/** The redirect URI with the answer; `iss` names this server (RFC 9207). */
export function answerUrl(
  issuer: string,
  { redirectUri, state }: ReturnAddress,
  members: Readonly<Record<string, string>>,
): string {
  const url = new URL(redirectUri)
  for (const [name, value] of Object.entries(members)) url.searchParams.append(name, value)
  if (state !== null) url.searchParams.append('state', state)
  url.searchParams.append('iss', issuer)
  return url.href
}

export function faultUrl(issuer: string, to: ReturnAddress, { code, sentence }: Omit<Fault, 'to'>): string {
  return answerUrl(issuer, to, { error: code, error_description: sentence })
}
