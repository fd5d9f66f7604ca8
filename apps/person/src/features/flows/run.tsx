import { Button, ButtonLink, Notice, Page, Row, Rows, Seal, Section, Tag, useLanguage } from '@sealpost/ui'
import { Problem, saveFile, Shown, useAct } from '@sealpost/web-app'
import { BadgeCheck, EyeOff, FileDown } from 'lucide-react'
import { type ReactNode, useEffect, useRef } from 'react'
import { href } from '../../routes.ts'
import type { PageProps } from '../../shell/app.tsx'
import { call, useRead } from '../../shell/worker.ts'
import type { Words } from '../../words/en/index.ts'
import { useWords } from '../../words/index.ts'
import type { GivenAnswerView, RunView } from '../../worker/commands/flows.ts'
import { displayValue } from '../data/display.ts'
import { isOver, stateLead } from './run-words.ts'
import { SigningLine } from './signing-line.tsx'
import classes from './flows.module.css'

/** One form: how it stands, who signs when, and what was answered. */
export default function Run({ params }: PageProps): ReactNode {
  const words = useWords().flows
  const run = useRead('readRun', 'flows', { connectionId: params['connection'] ?? '', runId: params['run'] ?? '' })
  const back = { href: href('flows'), label: words.title }
  if (run.state !== 'ready')
    return (
      <Page title={words.run} back={back}>
        <Shown of={run}>{() => null}</Shown>
      </Page>
    )
  return <Open run={run.value} back={back} />
}

function Open({
  run,
  back,
}: {
  readonly run: RunView
  readonly back: { readonly href: string; readonly label: string }
}): ReactNode {
  const words = useWords()
  const { companyName, companyId, serviceName, state, title, line, answers } = run
  return (
    <Page
      title={isOver(state) || title === null || title === '' ? companyName : title}
      above={words.flows.at(companyName, serviceName)}
      lead={stateLead(words, state)}
      back={back}
    >
      <Seal name={companyName} id={companyId} size="large" />
      <Act run={run} />
      {line.length === 0 ? null : <SigningLine line={line} connectionId={run.connectionId} />}
      {answers.length === 0 ? null : <Answers run={run} />}
      {isOver(state) ? null : (
        <div>
          <ButtonLink look="danger" href={href('endFlow', { connection: run.connectionId, run: run.runId })}>
            {words.flows.end.open}
          </ButtonLink>
        </div>
      )}
    </Page>
  )
}

function Act({ run }: { readonly run: RunView }): ReactNode {
  const words = useWords().flows
  const { state, connectionId: connection, runId } = run
  if (state.kind === 'your_turn')
    return (
      <div>
        <ButtonLink look="main" isWide href={href('turn', { connection, run: runId })}>
          {words.begin}
        </ButtonLink>
      </div>
    )
  if (state.kind === 'make') return <Make run={run} />
  if (state.kind === 'sign')
    return (
      <div>
        <ButtonLink look="main" isWide href={href('paper', { connection, paper: state.paperId })}>
          {state.act === 'sign' ? words.sign : words.accept}
        </ButtonLink>
      </div>
    )
  if (state.kind === 'cancelled' && state.reason !== null)
    return <Notice kind="wait" what={words.reason} next={state.reason} />
  return null
}

/** This device makes the documents by itself; after a failure the person decides when. */
function Make({ run }: { readonly run: RunView }): ReactNode {
  const words = useWords().flows
  const act = useAct()
  const { connectionId, runId } = run
  const make = (): Promise<boolean> => act.run(() => call('makeDocuments', { connectionId, runId }))
  const hasBegun = useRef(false)
  useEffect(() => {
    if (hasBegun.current) return
    hasBegun.current = true
    void make()
  })
  return (
    <>
      <Problem failure={act.failure} />
      <div>
        <Button look="main" isWide busy={act.isBusy ? words.making : null} onClick={() => void make()}>
          {words.make}
        </Button>
      </div>
    </>
  )
}

function Answers({ run }: { readonly run: RunView }): ReactNode {
  const words = useWords().flows
  const names = run.parties.filter(({ isOwn }) => !isOwn).map(({ name }) => name)
  return (
    <Section title={words.answers}>
      <Rows label={words.answers}>
        {run.answers.map((answer) => (
          <Given key={answer.slug} answer={answer} run={run} />
        ))}
      </Rows>
      <p className={classes.hint}>{words.turn.readers(names, run.makesDocuments)}</p>
    </Section>
  )
}

function Given({ answer, run }: { readonly answer: GivenAnswerView; readonly run: RunView }): ReactNode {
  const words = useWords()
  const { linked, you } = words.flows
  const { language } = useLanguage()
  const { label, who, isOwn, isPrivate, isVerified } = answer
  const end =
    isVerified || isPrivate ? (
      <span className={classes.tags}>
        {isVerified ? <Tag icon={<BadgeCheck size={14} aria-hidden />}>{linked.verified}</Tag> : null}
        {isPrivate ? <Tag icon={<EyeOff size={14} aria-hidden />}>{linked.private}</Tag> : null}
      </span>
    ) : null
  const download =
    answer.content.kind === 'file' && answer.content.isHeld ? <Download run={run} slug={answer.slug} /> : null
  return (
    <Row
      name={textOf(words, language, answer)}
      about={words.flows.at(label, isOwn ? you : who)}
      end={download ?? end}
    />
  )
}

function textOf(words: Words, language: ReturnType<typeof useLanguage>['language'], answer: GivenAnswerView): string {
  const { content } = answer
  switch (content.kind) {
    case 'text':
      return displayValue(words, language, content.type, content.text)
    case 'choices':
      return content.labels.join(', ')
    case 'plugin':
      return content.texts.map(({ text }) => text).join(' / ')
    case 'file':
      return words.data.file
    case 'unreadable':
      return words.data.cannotOpen
  }
}

function Download({ run, slug }: { readonly run: RunView; readonly slug: string }): ReactNode {
  const words = useWords()
  const act = useAct()
  const { connectionId, runId } = run
  const open = async (): Promise<void> => {
    const file = await call('openRunFile', { connectionId, runId, slug })
    if (file !== null) saveFile(file.name, file.mimeType, Uint8Array.from(file.bytes))
  }
  return (
    <>
      <Problem failure={act.failure} />
      <Button
        icon={<FileDown size={18} aria-hidden />}
        busy={act.isBusy ? words.shell.opening : null}
        onClick={() => void act.run(open)}
      >
        {words.flows.files.open}
      </Button>
    </>
  )
}
