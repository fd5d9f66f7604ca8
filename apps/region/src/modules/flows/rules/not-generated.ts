import { type ApiError, type GenerateRefusal, refuse } from '@sealpost/protocol'

/** Why no documents were made; the sentence replaces that of the catalog. */
export interface NotGenerated {
  readonly refusal: GenerateRefusal
  readonly sentence: string | null
}

export function refusalOf({ refusal, sentence }: NotGenerated): ApiError {
  return sentence === null ? refuse(refusal) : refuse(refusal, undefined, { sentence })
}
