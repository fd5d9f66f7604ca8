import { FailureError } from '@sealpost/ui/failure'
import { openScreen } from '@sealpost/ui/testing'
import { answerCommands } from '@sealpost/web-app/testing'
import { expect, test } from 'vitest'
import type { Commands } from '../../shell/worker.ts'
import type { TurnDraft, TurnView } from '../../worker/commands/turns.ts'
import { type Filling, useTurn } from './use-turn.ts'

const NAME = { connectionId: 'c1', runId: 'n1' }
const EMPTY: TurnDraft = { at: null, answers: {} }

const viewOf = (draft: TurnDraft): TurnView => ({
  ...NAME,
  companyId: 'k1',
  companyName: 'Northwind',
  serviceName: 'Intake',
  readers: [],
  makesDocuments: false,
  steps: [],
  draft,
})

const at = (step: string) => (draft: TurnDraft) => ({ ...draft, at: step })

/** Draws the hook; `turn()` is what a page has in its hands after the last drawing. */
async function open(changeTurn: (change: { readonly draft: TurnDraft }) => TurnView | Promise<TurnView>) {
  let filling: Filling | null = null
  function Page() {
    const read = useTurn(NAME)
    filling = read.state === 'ready' ? read.value : null
    if (read.state !== 'ready') return <p>{read.state}</p>
    return <p>{`${read.value.isEvaluated ? 'known' : 'ahead'} ${read.value.failure?.kind ?? 'fine'}`}</p>
  }
  const worker = answerCommands<Commands>({ beginTurn: () => viewOf(EMPTY), changeTurn })
  const screen = await openScreen(<Page />)
  await screen.until(() => filling)
  const turn = (): Filling => {
    if (filling === null) throw new Error('the turn is not open')
    return filling
  }
  return { screen, worker, turn, changes: () => worker.asked.filter(({ name }) => name === 'changeTurn') }
}

test('what is typed while a change is evaluated is evaluated together, after it', async () => {
  const first = Promise.withResolvers<TurnView>()
  let calls = 0
  const { screen, turn, changes } = await open(({ draft }) => ((calls += 1) === 1 ? first.promise : viewOf(draft)))
  await screen.act(() => {
    for (const step of ['a', 'b', 'c']) turn().edit(at(step))
  })
  await screen.until(() => screen.text === 'ahead fine')
  expect(turn().draft.at).toBe('c')
  expect(changes()).toHaveLength(1)
  await screen.act(() => first.resolve(viewOf(EMPTY)))
  await screen.until(() => screen.text === 'known fine')
  expect(changes().map(({ input }) => input)).toEqual([
    [{ runId: 'n1', draft: at('a')(EMPTY) }],
    [{ runId: 'n1', draft: at('c')(EMPTY) }],
  ])
})

test('a change that was not kept says so, and the next one repeats it', async () => {
  let isOffline = true
  const { screen, turn, changes } = await open(({ draft }) => {
    if (isOffline) throw new FailureError({ kind: 'offline' })
    return viewOf(draft)
  })
  const answers = { one: { a: { kind: 'field', fieldId: 'f1' } } } as const
  await screen.act(() => turn().edit((draft) => ({ ...draft, answers })))
  await screen.until(() => screen.text === 'ahead offline')
  isOffline = false
  await screen.act(() => turn().edit(at('two')))
  await screen.until(() => screen.text === 'known fine')
  expect(changes().at(-1)?.input).toEqual([{ runId: 'n1', draft: { at: 'two', answers } }])
})

test('an answer of the worker is taken over only if the person has not gone on since', async () => {
  const { screen, turn } = await open(({ draft }) => viewOf(draft))
  const asked = turn().draft
  await screen.act(() => turn().edit(at('b')))
  await screen.until(() => screen.text === 'known fine' && turn().draft.at === 'b')
  await screen.act(() => turn().take(viewOf(at('old')(EMPTY)), asked))
  expect(turn().draft.at).toBe('b')
  await screen.act(() => turn().take(viewOf(at('c')(EMPTY)), turn().draft))
  expect(turn().draft.at).toBe('c')
})
