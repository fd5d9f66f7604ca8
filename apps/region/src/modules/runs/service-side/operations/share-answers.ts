import { answerElements, type Definition } from '@sealpost/flow'
import type { Tx } from '@sealpost/postgres'
import { type FlowValue, putFlowValues, type StoredConnection, valueOfAnswer } from '../../../connections/index.ts'
import type { NewEvent } from '../../../feed/index.ts'
import type { StoredAnswer, StoredRun } from '../model.ts'
import { listAnswers } from '../store/answers.ts'
import { listAnswerFiles } from '../store/files.ts'

/**
 * At the end of a run without documents: the company's copy of each answer becomes a value of the connection of the
 * customer who gave it, live when it is linked. The owner's own answers stay in the run.
 */
export async function shareAnswers(
  tx: Tx,
  run: StoredRun,
  definition: Definition,
  connections: readonly StoredConnection[],
): Promise<readonly NewEvent[]> {
  const types = new Map(definition.nodes.flatMap(answerElements).map((one) => [one.slug, typeOf(one)]))
  const files = new Map((await listAnswerFiles(tx, run)).map((file) => [file.id, file]))
  const answers = await listAnswers(tx, run)
  const events: NewEvent[] = []
  for (const connection of connections) {
    const keys = run.parties.filter(({ customer }) => customer?.connectionId === connection.id)
    const own = answers.filter(({ partyKey }) => keys.some((party) => party.partyKey === partyKey))
    const values: FlowValue[] = []
    for (const answer of own) {
      const file = answer.file === null ? undefined : files.get(answer.file)
      const { isLinked } = answer
      const snapshot = valueOf(run, answer, types.get(answer.slug) ?? 'text', file?.sha256 ?? null)
      // Null for a linked file that was too large to be held and is not shared now.
      const value = await valueOfAnswer(tx, run.serviceId, connection.id, { ...snapshot, isLinked })
      if (value !== null) values.push(value)
    }
    events.push(...(await putFlowValues(tx, connection, values)))
  }
  return events
}

function typeOf(element: ReturnType<typeof answerElements>[number]): string {
  return element.kind === 'field' ? element.field_type : 'plugin'
}

/** A reference may be written with blanks; every other value is a wrapper. */
function isFile({ value }: StoredAnswer): boolean {
  return /^\s*\{\s*"_(?:enc_file|link)"/.test(value)
}

function valueOf(run: StoredRun, answer: StoredAnswer, type: string, sha256: string | null): FlowValue {
  const { slug, value, isPrivate, attested } = answer
  return {
    flowId: run.flowId,
    runId: run.id,
    slug,
    type,
    isPrivate,
    attested,
    value: isFile(answer) ? null : value,
    sha256,
    live: false,
    at: run.updatedAt,
  }
}
