import { type Ids, parseUuid } from '@sealpost/kernel'
import type { FileHandle } from '../model.ts'

/** `rf`: a staged copy of a shared file, `af`: a copy of a file answer, `gi`: an input of generate. */
type HandleKind = 'rf' | 'af' | 'gi'

export function newHandle({ ids }: { readonly ids: Pick<Ids, 'uuid'> }, kind: HandleKind): FileHandle {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the one place that makes handles
  return `${kind}_${ids.uuid()}` as FileHandle
}

/** Of a copy of a file answer: no other file is an answer. */
export function isAnswerFile(text: string): text is FileHandle {
  return text.startsWith('af_') && parseUuid(text.slice('af_'.length)) !== null
}
