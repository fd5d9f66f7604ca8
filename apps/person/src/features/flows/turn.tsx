import { Button, ButtonLink, Buttons, Form, navigate, Page, Quiet, TearOff } from '@sealpost/ui'
import { Problem, Shown, together, useAct } from '@sealpost/web-app'
import { type ReactNode, useEffect, useState } from 'react'
import { href } from '../../routes.ts'
import type { PageProps } from '../../shell/app.tsx'
import { call, useRead } from '../../shell/worker.ts'
import { useWords } from '../../words/index.ts'
import type { FieldView } from '../../worker/commands/data.ts'
import type { StepView, TurnView } from '../../worker/commands/turns.ts'
import { StepForm } from './step-form.tsx'
import { type Filling, useTurn } from './use-turn.ts'

/** The person's turn in a form, step by step. Nothing leaves this device before "Send". */
export default function Turn({ params }: PageProps): ReactNode {
  const words = useWords().flows
  const name = { connectionId: params['connection'] ?? '', runId: params['run'] ?? '' }
  const turn = useTurn(name)
  const fields = useRead('listFields', 'data')
  const toRun = href('flow', { connection: name.connectionId, run: name.runId })
  const read = together({ turn, fields })
  if (read.state !== 'ready')
    return (
      <Page title={words.turn.title} back={{ href: href('flows'), label: words.title }}>
        <Shown of={read}>{() => null}</Shown>
        {turn.state === 'failed' ? <ButtonLink href={toRun}>{words.turn.toRun}</ButtonLink> : null}
      </Page>
    )
  return <Steps filling={read.value.turn} fields={read.value.fields} toRun={toRun} />
}

interface StepsProps {
  readonly filling: Filling
  readonly fields: readonly FieldView[]
  readonly toRun: string
}

function Steps({ filling, fields, toRun }: StepsProps): ReactNode {
  const { steps } = filling.view
  const place = placeIn(filling.view)
  const step = steps[place]
  useEffect(() => {
    scrollTo(0, 0)
  }, [step?.key])
  return step === undefined ? null : (
    <Step key={step.key} filling={filling} fields={fields} toRun={toRun} step={step} place={place} />
  )
}

/** Where the person was; further back if the answers do not lead there any more. */
function placeIn({ steps, draft }: Pick<TurnView, 'steps' | 'draft'>): number {
  const place = steps.findIndex(({ key }) => key === draft.at)
  return Math.max(place, 0)
}

function Step({
  filling,
  fields,
  toRun,
  step,
  place,
}: StepsProps & { readonly step: StepView; readonly place: number }): ReactNode {
  const words = useWords()
  const { turn: texts, title } = words.flows
  const { view } = filling
  const [isTried, setTried] = useState(false)
  const act = useAct()
  const goTo = (key: string): void => filling.edit((draft) => ({ ...draft, at: key }))
  const send = (): Promise<boolean> =>
    act.run(async () => {
      const { isStillTheirs } = await call('sendTurn', view.runId)
      if (isStillTheirs) filling.restart()
      else navigate(toRun, { replace: true })
    })
  const goOn = async (): Promise<void> => {
    const evaluated = await filling.evaluated().catch(() => null)
    if (evaluated === null) return
    const now = evaluated.steps.find(({ key }) => key === step.key)
    setTried(true)
    if (now === undefined || now.problems.length > 0) return
    const next = evaluated.steps[evaluated.steps.indexOf(now) + 1]
    if (next !== undefined) goTo(next.key)
    // The worker may have found that a pick does not fit any more.
    else if (!(await send())) filling.edit((draft) => ({ ...draft }))
  }
  const before = view.steps[place - 1]
  const { companyName, serviceName } = view
  return (
    <Page
      title={step.title === '' ? texts.title : step.title}
      above={texts.above(companyName, serviceName, place + 1)}
      lead={texts.readers(view.readers, view.makesDocuments)}
      back={{ href: href('flows'), label: title }}
    >
      <Form onSend={goOn}>
        <StepForm filling={filling} step={step} fields={fields} isTried={isTried} />
        <Problem failure={act.failure ?? filling.failure} />
        <Act
          step={step}
          view={view}
          isBusy={act.isBusy}
          onBack={before === undefined ? null : () => goTo(before.key)}
        />
      </Form>
      <div>
        <ButtonLink look="bare" href={toRun}>
          {texts.toRun}
        </ButtonLink>
      </div>
    </Page>
  )
}

interface ActProps {
  readonly step: StepView
  readonly view: TurnView
  readonly isBusy: boolean
  readonly onBack: (() => void) | null
}

/** Within the own turn one goes on and back; what is sent cannot be taken back. */
function Act({ step, view, isBusy, onBack }: ActProps): ReactNode {
  const { flows, shell } = useWords()
  const { turn: texts } = flows
  const { next } = step
  const back = onBack === null ? null : <Button onClick={onBack}>{shell.back}</Button>
  if (next.kind === 'own' && !next.isSentFirst)
    return (
      <>
        <Quiet>{texts.kept}</Quiet>
        <Buttons isStacked>
          <Button type="submit" look="main" busy={isBusy ? texts.sending : null}>
            {texts.goOn}
          </Button>
          {back}
        </Buttons>
      </>
    )
  return (
    <TearOff
      title={texts.sendTitle}
      act={
        <Buttons isStacked>
          <Button type="submit" look="main" busy={isBusy ? texts.sending : null}>
            {texts.send}
          </Button>
          {back}
        </Buttons>
      }
    >
      <Quiet>{followsOf(texts, view, next)}</Quiet>
      <Quiet>{texts.kept}</Quiet>
    </TearOff>
  )
}

function followsOf(
  texts: ReturnType<typeof useWords>['flows']['turn'],
  view: TurnView,
  next: StepView['next'],
): string {
  if (next.kind === 'own') return texts.thenYou
  if (next.kind === 'other') return texts.thenOther(next.party)
  if (next.kind === 'stuck') return texts.stuck
  return view.makesDocuments ? texts.thenDocuments : texts.thenDone
}
