import type { DigitsNeedle, Needle } from './needles.ts'

/** Something that was written, and where. */
export interface Piece {
  readonly place: string
  readonly content: string | Uint8Array
}

export interface Finding {
  readonly place: string
  readonly name: string
  readonly as: string
}

/** Every place that contains one of the secrets. A finding has the name of the secret, never its value. */
export function search(pieces: readonly Piece[], needles: readonly (Needle | DigitsNeedle)[]): readonly Finding[] {
  const findings = new Map<string, Finding>()
  for (const { place, content } of pieces) {
    const bytes = Buffer.from(content)
    for (const wanted of needles) {
      const as = formIn(bytes, wanted)
      if (as !== null) findings.set(`${place} ${wanted.name}`, { place, name: wanted.name, as })
    }
  }
  return [...findings.values()]
}

export function describeFindings(findings: readonly Finding[]): readonly string[] {
  return findings.map(({ place, name, as }) => `${place} holds ${name} (${as})`).toSorted()
}

function formIn(bytes: Buffer, wanted: Needle | DigitsNeedle): string | null {
  if ('pattern' in wanted) return wanted.pattern.test(bytes.toString('latin1')) ? 'digits' : null
  return wanted.forms.find((form) => bytes.includes(form.bytes))?.as ?? null
}
