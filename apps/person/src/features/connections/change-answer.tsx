import { Button, Buttons, Form } from '@sealpost/ui'
import { Problem, useAct } from '@sealpost/web-app'
import { type ReactNode, useState } from 'react'
import { call } from '../../shell/worker.ts'
import { useWords } from '../../words/index.ts'
import type { AskedView, ConnectionView } from '../../worker/commands/connections.ts'
import type { FieldView } from '../../worker/commands/data.ts'
import { problemsOf } from '../data/problems.ts'
import { type Choice, firstChoice, wishOf } from './answer.ts'
import { Ask } from './ask.tsx'
import { keepTyped } from './keep-typed.ts'

/** Gives, changes, withdraws or declines one thing. */
export function ChangeAnswer({
  row,
  connection,
  fields,
  onDone,
}: {
  readonly row: AskedView
  readonly connection: ConnectionView
  readonly fields: readonly FieldView[]
  readonly onDone: () => void
}): ReactNode {
  const words = useWords()
  const texts = words.connections.connection
  const [choice, setChoice] = useState<Choice>(firstChoice(row))
  const act = useAct()
  const { id } = connection
  const give = async (): Promise<void> => {
    const answers = await keepTyped({ [row.slug]: choice })
    const shown = [row]
    await (row.isPending
      ? call('provide', { id, answers, shown })
      : call('changeAnswers', { id, changes: answers, shown }))
  }
  const withhold = (): Promise<void> =>
    row.isPending
      ? call('decline', { id, requestIds: [row.id] })
      : call('changeAnswers', { id, changes: { [row.slug]: null }, shown: [] })
  const run = async (doIt: () => Promise<void>): Promise<void> => {
    if (await act.run(doIt)) onDone()
  }
  const isGiving = wishOf(choice) !== null
  const isWithholding = choice.kind === 'nothing' && (row.isPending || row.given !== null)
  return (
    <Form onSend={() => run(isWithholding ? withhold : give)}>
      <Ask
        asked={row}
        fields={fields}
        choice={choice}
        onChoice={setChoice}
        valueProblems={problemsOf(words, act.failure)}
      />
      <Problem failure={act.failure} />
      <Buttons>
        <Button
          type="submit"
          look={isWithholding ? 'danger' : 'main'}
          disabled={!isGiving && !isWithholding}
          busy={act.isBusy ? texts.saving : null}
        >
          {isWithholding ? (row.isPending ? texts.declineAct : texts.stop) : texts.give}
        </Button>
        <Button look="bare" onClick={onDone} disabled={act.isBusy}>
          {words.shell.cancel}
        </Button>
      </Buttons>
    </Form>
  )
}
