import { answerElements, type Definition } from '@sealpost/flow'
import type { Tx } from '@sealpost/postgres'
import { type FlowValue, putFlowValues, type StoredConnection } from '../../../../connections/index.ts'
import type { NewEvent } from '../../../../feed/index.ts'
import type { StoredAnswer, StoredRun } from '../model.ts'
import { listAnswers } from '../store/answers.ts'
import { listAnswerFiles } from '../store/files.ts'

/**
 * At the end of a run without documents: the company's copy of each answer becomes a value of the connection of the
 * customer who gave it. The owner's own answers stay in the run.
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
    const values = own.flatMap((answer): readonly FlowValue[] => {
      const file = answer.file === null ? undefined : files.get(answer.file)
      // A linked file that was too large to be held has no copy here.
      if (isFile(answer) && file === undefined) return []
      return [valueOf(run, answer, types.get(answer.slug) ?? 'text', file?.sha256 ?? null)]
    })
    events.push(...(await putFlowValues(tx, connection, values)))
  }
  return events
}

function typeOf(element: ReturnType<typeof answerElements>[number]): string {
  return element.kind === 'field' ? element.field_type : 'plugin'
}

const REFERENCE = /^\s*\{\s*"_(enc_file|link)"/

function isFile({ value }: StoredAnswer): boolean {
  return REFERENCE.test(value)
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
    value: sha256 === null ? value : null,
    sha256,
    at: run.updatedAt,
  }
}
