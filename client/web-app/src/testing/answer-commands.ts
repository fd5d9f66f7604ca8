import { failureOf } from '@sealpost/ui/failure'
import { onTestFinished } from 'vitest'
import type { Answer, CommandTable, InputOf, OutputOf, Request, Settings } from '../link/messages.ts'
import { connectWorker } from '../link/worker-link.ts'
import { forgetReads } from '../reads/use-read.ts'

export type Answers<Table extends CommandTable> = {
  readonly [Name in keyof Table]?: (
    ...input: InputOf<Table, Name>
  ) => OutputOf<Table, Name> | Promise<OutputOf<Table, Name>>
}

export interface AnsweringWorker {
  /** What pages have asked, oldest first. */
  readonly asked: readonly Omit<Request, 'id'>[]
  /** As a worker says that something has changed. */
  change(...topics: readonly string[]): void
}

/**
 * A worker of a test: pages reach it by the same link, and it answers each command by a function. What the function throws
 * is a failure; a command without one is unexpected.
 */
export function answerCommands<Table extends CommandTable>(answers: Answers<Table>): AnsweringWorker {
  const asked: Omit<Request, 'id'>[] = []
  let listener: ((event: { readonly data: Answer }) => void) | null = null
  const reply = (data: Answer): void => listener?.({ data })
  connectWorker(
    {
      postMessage(message: Request | Settings) {
        if (!('name' in message)) return
        const { id, name, input } = message
        asked.push({ name, input })
        answerOf(answers, name, input).then(
          (value) => reply({ id, value }),
          (error: unknown) => reply({ id, failure: failureOf(error) }),
        )
      },
      addEventListener(name: string, added: (event: { readonly data: Answer }) => void) {
        if (name === 'message') listener = added
      },
    },
    { frontDoorUrl: 'http://front-door.example' },
  )
  reply({ ready: true })
  onTestFinished(forgetReads)
  return { asked, change: (...topics) => reply({ changed: topics }) }
}

async function answerOf(answers: object, name: string, input: readonly unknown[]): Promise<unknown> {
  const answer: unknown = Reflect.get(answers, name)
  if (typeof answer !== 'function') throw new Error(`the test has no answer for ${name}`)
  const value: unknown = await Reflect.apply(answer, null, [...input])
  return value
}
