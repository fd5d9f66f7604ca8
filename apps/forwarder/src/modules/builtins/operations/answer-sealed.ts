import { importSealingKey, type OpenRefusal, openWrapper, sealWrapper } from '@sealpost/crypto'
import { accept, decline, type Result } from '@sealpost/kernel'
import { cryptoPlatform } from '../../../platform/crypto-platform.ts'
import type { Builtin, BuiltinKey } from '../model.ts'
import { readQuestion } from '../rules/read-question.ts'

export async function answerSealed(
  builtin: Builtin | null,
  keys: readonly BuiltinKey[],
  request: string,
): Promise<Result<string, 'key_unknown' | 'malformed'>> {
  if (builtin === null) return decline('malformed')
  const opened = await openWithAny(keys, request)
  if (!opened.ok) return decline(opened.refusal === 'wrong_key' ? 'key_unknown' : 'malformed')
  const question = readQuestion(opened.value)
  const reply = question === null ? null : builtin.answer(question)
  if (question === null || reply === null) return decline('malformed')
  const sealing = await importSealingKey(cryptoPlatform, question.reply_key)
  if (!sealing.ok) return decline('malformed')
  const sealed = await sealWrapper(cryptoPlatform, sealing.value, JSON.stringify(reply))
  return sealed.ok ? accept(sealed.value) : decline('malformed')
}

/** While a key is replaced, processes with the earlier and with the new settings serve side by side. */
async function openWithAny(keys: readonly BuiltinKey[], request: string): Promise<Result<string, OpenRefusal>> {
  for (const { opening } of keys) {
    const opened = await openWrapper(cryptoPlatform, opening, request)
    if (opened.ok || opened.refusal !== 'wrong_key') return opened
  }
  return decline('wrong_key')
}
