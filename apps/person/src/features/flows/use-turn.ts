import { type Failure, failureOf } from '@sealpost/ui'
import type { Read } from '@sealpost/web-app'
import { useCallback, useEffect, useRef, useState } from 'react'
import { call } from '../../shell/worker.ts'
import type { TurnDraft, TurnView } from '../../worker/commands/turns.ts'

/** A turn that is being filled in. */
export interface Filling {
  readonly view: TurnView
  /** What the person has filled in, ahead of the view by what is being evaluated. */
  readonly draft: TurnDraft
  readonly isEvaluated: boolean
  /** Why the last change was not kept. */
  readonly failure: Failure | null
  edit(change: (draft: TurnDraft) => TurnDraft): void
  /** The view with every change evaluated. */
  evaluated(): Promise<TurnView>
  /** Takes over what the worker has changed itself, unless the person has gone on since. */
  readonly take: (view: TurnView, asked: TurnDraft) => void
  /** Reads the run again. */
  restart(): void
}

/** One change is evaluated at a time; what is typed meanwhile is evaluated together. */
export function useTurn(name: { readonly connectionId: string; readonly runId: string }): Read<Filling> {
  const { connectionId, runId } = name
  const [began, setBegan] = useState<Read<TurnView>>({ state: 'pending' })
  const [draft, setDraft] = useState<TurnDraft | null>(null)
  const [failure, setFailure] = useState<Failure | null>(null)
  const wanted = useRef<TurnDraft | null>(null)
  const running = useRef<Promise<TurnView> | null>(null)

  const open = useCallback((view: TurnView) => {
    setBegan({ state: 'ready', value: view })
    wanted.current = view.draft
    setDraft(view.draft)
  }, [])
  const take = useCallback(
    (view: TurnView, asked: TurnDraft) => {
      if (wanted.current === asked) open(view)
    },
    [open],
  )

  const start = useCallback(() => {
    setBegan({ state: 'pending' })
    call('beginTurn', { connectionId, runId }).then(open, (error: unknown) =>
      setBegan({ state: 'failed', failure: failureOf(error), again: start }),
    )
  }, [connectionId, runId, open])
  useEffect(start, [start])

  const evaluate = useCallback(
    async (view: TurnView): Promise<TurnView> => {
      let latest = view
      while (wanted.current !== null && wanted.current !== latest.draft) {
        const evaluating = wanted.current
        latest = { ...(await call('changeTurn', { runId, draft: evaluating })), draft: evaluating }
        setBegan({ state: 'ready', value: latest })
      }
      return latest
    },
    [runId],
  )

  if (began.state !== 'ready' || draft === null) return began.state === 'failed' ? began : { state: 'pending' }
  const view = began.value
  const evaluated = (): Promise<TurnView> => {
    running.current ??= evaluate(view)
      .then((latest) => {
        setFailure(null)
        return latest
      })
      .finally(() => (running.current = null))
    return running.current
  }
  const edit: Filling['edit'] = (change) => {
    const changed = change(wanted.current ?? draft)
    wanted.current = changed
    setDraft(changed)
    evaluated().catch((error: unknown) => setFailure(failureOf(error)))
  }
  const isEvaluated = draft === view.draft
  return { state: 'ready', value: { view, draft, isEvaluated, failure, edit, evaluated, take, restart: start } }
}
