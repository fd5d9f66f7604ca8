/** The answer to a plain HTTP call. */
export interface WireAnswer {
  readonly status: number
  readonly headers: Headers
  readonly body: Record<string, unknown>
}

export const WHOAMI = '/api/company-data/whoami'

export async function get(url: string, headers: Record<string, string> = {}): Promise<WireAnswer> {
  return readAnswer(await fetch(url, { headers }))
}

export async function postForm(
  url: string,
  form: Record<string, string>,
  headers: Record<string, string> = {},
): Promise<WireAnswer> {
  return readAnswer(await fetch(url, { method: 'POST', body: new URLSearchParams(form), headers }))
}

export function bearer(token: string): Record<string, string> {
  return { authorization: `Bearer ${token}` }
}

async function readAnswer(answer: Response): Promise<WireAnswer> {
  const body: unknown = await answer.json()
  if (typeof body !== 'object' || body === null) throw new Error(`${answer.url} did not answer a JSON object`)
  return { status: answer.status, headers: answer.headers, body: { ...body } }
}
