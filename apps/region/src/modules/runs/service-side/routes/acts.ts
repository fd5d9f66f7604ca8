import { type FlowRun, refuse, type SaidAnswer, type TurnPass } from '@sealpost/protocol'
import type { FileHandle } from '../../model.ts'
import type { ServiceSideContext } from '../context.ts'
import type { Actor, StoredObject, StoredRun } from '../model.ts'
import { cancelRun } from '../operations/cancel-run.ts'
import { passForTurn } from '../operations/pass-for-turn.ts'
import { pinnedDefinition, runAnswer } from '../operations/read-runs.ts'
import { takeTurn } from '../operations/take-turn.ts'
import { listAnswers } from '../store/answers.ts'
import { listAnswerFiles } from '../store/files.ts'

export interface AnswerBody {
  readonly answers: readonly { readonly slug?: unknown; readonly values?: unknown; readonly source_private?: unknown }[]
  readonly next_node?: unknown
  readonly leaf?: unknown
}

/** The owner's turn, the same for all callers that act for the company. */
export function answerAsOwner(context: ServiceSideContext, run: StoredRun, body: AnswerBody): Promise<FlowRun> {
  const said = { answers: body.answers.map(saidByOwner), next_node: body.next_node, leaf: body.leaf }
  return context.database.transaction(async (tx) => {
    const taken = await takeTurn(context, tx, run, ownerOf(run), said)
    if (!taken.ok) throw refuse(taken.refusal)
    const answer = await runAnswer(tx, taken.value.run, taken.value.definition)
    await tx.storeAnswer(answer)
    return answer
  })
}

/** The company has no profile fields to link. */
function saidByOwner({ slug, values, source_private }: AnswerBody['answers'][number]): SaidAnswer {
  return { slug, values, source_private, attested: null, is_linked: false }
}

export function cancelAsOwner(context: ServiceSideContext, run: StoredRun, reason: string | null): Promise<FlowRun> {
  return context.database.transaction(async (tx) => {
    const cancelled = await cancelRun(context, tx, run, ownerOf(run), reason)
    if (!cancelled.ok) throw refuse(cancelled.refusal)
    const answer = await runAnswer(tx, cancelled.value, await pinnedDefinition(tx, cancelled.value))
    await tx.storeAnswer(answer)
    return answer
  })
}

export async function passForOwner(context: ServiceSideContext, run: StoredRun): Promise<TurnPass> {
  const pass = await passForTurn(context, run, ownerOf(run))
  if (!pass.ok) throw refuse(pass.refusal)
  return pass.value
}

function ownerOf({ companyId }: StoredRun): Actor {
  return { userId: companyId, region: null }
}

export async function findSlotFile(
  { database }: ServiceSideContext,
  run: StoredRun,
  slug: string,
): Promise<StoredObject> {
  const file = await database.read(async (read) => {
    const answer = (await listAnswers(read, run)).find((one) => one.slug === slug)
    const handle: FileHandle | null = answer?.file ?? null
    return handle === null ? undefined : (await listAnswerFiles(read, run)).find(({ id }) => id === handle)
  })
  if (file === undefined) throw refuse('company_data.file_not_found')
  return file
}
