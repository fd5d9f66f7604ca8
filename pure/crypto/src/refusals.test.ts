import { expect, test } from 'vitest'
import type {
  AccountOpenRefusal,
  OpenRefusal,
  PasswordRefusal,
  PemRefusal,
  SignatureRefusal,
  UnwrapRefusal,
} from './index.ts'
import { refusalSentences } from './refusals.ts'

test('every refusal has a sentence that says what to do', () => {
  const sentences: Record<
    OpenRefusal | AccountOpenRefusal | PasswordRefusal | PemRefusal | SignatureRefusal | UnwrapRefusal,
    string
  > = refusalSentences
  for (const sentence of Object.values(sentences)) expect(sentence).toMatch(/^[A-Z].{20,}\.$/)
})
