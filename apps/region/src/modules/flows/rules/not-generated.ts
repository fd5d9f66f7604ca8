import { decline, type Result } from '@sealpost/kernel'
import { type ApiError, type GenerateRefusal, refuse } from '@sealpost/protocol'

/** Why no documents were made; the sentence replaces that of the catalog. */
export interface NotGenerated {
  readonly refusal: GenerateRefusal
  readonly sentence: string | null
}

export function failed(refusal: GenerateRefusal, sentence: string | null = null): Result<never, NotGenerated> {
  return decline({ refusal, sentence })
}

export function refusalOf({ refusal, sentence }: NotGenerated): ApiError {
  return sentence === null ? refuse(refusal) : refuse(refusal, undefined, { sentence })
}
