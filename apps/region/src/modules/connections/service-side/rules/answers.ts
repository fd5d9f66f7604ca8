import { createCryptoPlatform, isWrapper } from '@sealpost/crypto'
import { meetsVerifiedRow, readAttestation } from '@sealpost/field-types'
import { accept, decline, type Instant, type Result } from '@sealpost/kernel'
import type { SlotAnswer } from '@sealpost/protocol'
import type { RequestRow } from '../../../services/index.ts'

const platform = createCryptoPlatform(globalThis)

export interface AnswerProblem {
  readonly path: string
  readonly message: string
}

export type AnswersRefusal =
  | { readonly outcome: 'invalid'; readonly details: AnswerProblem[] }
  | { readonly outcome: 'mandatory_missing'; readonly slugs: string[] }

export interface Asked {
  /** The rows published for this type of customer. */
  readonly rows: readonly RequestRow[]
  /** Whether values of such a row are files. */
  readonly isBinary: (row: RequestRow) => boolean
  readonly now: Instant
}

/** Validates again what the customer side validated: its copy of the request rows may be older than the published ones. */
export function validateAnswers(answers: readonly SlotAnswer[], asked: Asked): Result<null, AnswersRefusal> {
  const details = answers.flatMap((answer, index) => {
    const row = asked.rows.find(({ id }) => id === answer.request_field_id)
    const isRepeated = answers.slice(0, index).some((other) => other.request_field_id === answer.request_field_id)
    return validateAnswer(answer, row, isRepeated, asked).map(([member, message]) => ({
      path: `/answers/${index}/${member}`,
      message,
    }))
  })
  if (details.length > 0) return decline({ outcome: 'invalid', details })
  const answered = new Set(answers.map((answer) => answer.request_field_id))
  const missing = asked.rows.filter((row) => isMandatory(row) && !answered.has(row.id))
  if (missing.length > 0) return decline({ outcome: 'mandatory_missing', slugs: missing.map(({ slug }) => slug) })
  return accept(null)
}

function isMandatory({ mandatoryProvide, mandatoryConnected }: RequestRow): boolean {
  return mandatoryProvide || mandatoryConnected
}

type Found = readonly (readonly [member: keyof SlotAnswer, message: string])[]

function validateAnswer(answer: SlotAnswer, row: RequestRow | undefined, isRepeated: boolean, asked: Asked): Found {
  if (row === undefined) return [['request_field_id', 'is not a request field that this customer is asked for']]
  if (isRepeated) return [['request_field_id', 'is answered twice']]
  const attestation = readAttestation(answer.attested, asked.now)
  const isVerified = !row.verified || meetsVerifiedRow(attestation, row.verifiedMaxAgeDays, asked.now)
  const isSnapshot = !answer.live
  return [
    ...problem('live', isSnapshot !== row.oneTime, row.oneTime ? 'is shared once' : 'must follow later edits'),
    ...validateContent(answer, asked.isBinary(row)),
    ...problem('attested', !isVerified, 'must be verified, and recently enough'),
  ]
}

/** A text value is always sealed; a file is sealed if the field behind it is private. */
export function validateContent({ value, file, is_private }: SlotAnswer, isBinary: boolean): Found {
  if (!isBinary)
    return problem('value', file !== null || value === null || !isWrapper(platform, value), 'must be a wrapper')
  if (file === null || value !== null) return [['file', 'must be a file']]
  return problem('file', is_private && file.form !== 'sealed', 'must be sealed')
}

function problem(member: keyof SlotAnswer, isOne: boolean, message: string): Found {
  return isOne ? [[member, message]] : []
}
