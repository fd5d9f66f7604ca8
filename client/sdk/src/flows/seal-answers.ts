import type { PublicKey } from '../keys/public-key.ts'
import type { AnswerRunBody } from '../shapes.generated.ts'
import type { Draft } from './prepare-step.ts'

/** A user who gets a copy of every answer. */
export interface Recipient {
  readonly userId: string
  readonly key: PublicKey
}

interface Copy {
  readonly userId: string
  readonly wrapper: string
}

export interface SealedAnswer extends Omit<Draft, 'text'> {
  readonly copies: readonly Copy[]
}

/** Every copy of every answer is sealed before the first one is sent. */
export async function sealAnswers(
  drafts: readonly Draft[],
  recipients: readonly Recipient[],
): Promise<readonly SealedAnswer[]> {
  const sealed: SealedAnswer[] = []
  for (const { text, ...draft } of drafts) {
    const copies: Copy[] = []
    for (const { userId, key } of recipients) copies.push({ userId, wrapper: await key.seal(text) })
    sealed.push({ ...draft, copies })
  }
  return sealed
}

/** Stores one copy of a file answer; answers its handle. */
export type StoreFile = (file: {
  readonly slug: string
  readonly for_user_id: string
  readonly value: string
}) => Promise<{ readonly file: string }>

/** The items of a submit. Files are uploaded first, one copy per user; an item names their handles. */
export async function answerItems(
  sealed: readonly SealedAnswer[],
  store: StoreFile,
): Promise<AnswerRunBody['answers']> {
  const items: AnswerRunBody['answers'][number][] = []
  for (const { slug, copies, isFile, isPrivate, sourceFieldId } of sealed) {
    const values: { for_user_id: string; value: string }[] = []
    for (const { userId, wrapper } of copies) {
      const value = isFile ? await storedFile(store, slug, userId, wrapper, sourceFieldId !== null) : wrapper
      values.push({ for_user_id: userId, value })
    }
    const link = sourceFieldId === null ? {} : { link: { source_field_id: sourceFieldId } }
    items.push({ slug, values, source_private: isPrivate, ...link })
  }
  return items
}

async function storedFile(
  store: StoreFile,
  slug: string,
  userId: string,
  wrapper: string,
  isLinked: boolean,
): Promise<string> {
  const { file } = await store({ slug, for_user_id: userId, value: wrapper })
  return JSON.stringify({ _enc_file: file, ...(isLinked ? { _link: 1 } : {}) })
}
