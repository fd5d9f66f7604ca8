import { decline, type Result } from '@sealpost/kernel'
import { type ApiError, errorCatalog, type GenerateRefusal, refuse } from '@sealpost/protocol'

/** Why no documents were made; the sentence replaces that of the catalog. */
export interface NotGenerated {
  readonly refusal: GenerateRefusal
  readonly sentence: string | null
}

export function failed(refusal: GenerateRefusal, sentence: string | null = null): Result<never, NotGenerated> {
  return decline({ refusal, sentence })
}

/** A 503 has decided nothing: the same call may be repeated, with the same inputs. */
export function isFinal({ refusal }: NotGenerated): boolean {
  return errorCatalog[refusal].status < 500
}

export function refusalOf({ refusal, sentence }: NotGenerated): ApiError {
  return sentence === null ? refuse(refusal) : refuse(refusal, undefined, { sentence })
}
