import { Empty, formatWhen, Page, Quiet, Row, Rows, Section, useLanguage } from '@sealpost/ui'
import { nowMs, Shown, together } from '@sealpost/web-app'
import type { ReactNode } from 'react'
import { href } from '../../routes.ts'
import type { PageProps } from '../../shell/app.tsx'
import { useRead } from '../../shell/worker.ts'
import type { Words } from '../../words/en/index.ts'
import { useWords } from '../../words/index.ts'
import type { AnswerView, RunName } from '../../worker/commands/runs.ts'
import { HandedKey } from '../delegates/handed-key.tsx'
import { KeyLoader } from '../keys/key-loader.tsx'

/** One run. Its answers are opened in the worker, with the key of the service. */
export default function Run({ params }: PageProps): ReactNode {
  const words = useWords().runs
  const { language } = useLanguage()
  const name = { serviceId: params['service'] ?? '', flowId: params['flow'] ?? '', runId: params['run'] ?? '' }
  const run = useRead('readRun', 'runs', name)
  const key = useRead('serviceKeyState', 'key')
  const facts = run.state === 'ready' ? run.value : null
  return (
    <Page
      title={facts === null || facts.title === '' ? words.run : facts.title}
      lead={
        facts === null ? undefined : `${words.states[facts.state]} · ${formatWhen(language, facts.updatedAt, nowMs())}`
      }
      back={{ href: href('runs', { service: name.serviceId }), label: words.title }}
      isWide
    >
      <Shown of={together({ run, key })}>
        {(read) => {
          if (read.run.sealed === 0) return <Empty>{words.nothing}</Empty>
          if (read.key?.serviceId === name.serviceId) return <Answers name={name} />
          return (
            <>
              <Quiet>{words.sealed(read.run.sealed)}</Quiet>
              <HandedKey serviceId={name.serviceId} />
              <KeyLoader serviceId={name.serviceId} />
            </>
          )
        }}
      </Shown>
    </Page>
  )
}

function Answers({ name }: { readonly name: RunName }): ReactNode {
  const words = useWords().runs
  const answers = useRead('openAnswers', 'runs', name)
  return (
    <Section title={words.answers}>
      <Shown of={answers}>
        {(read) => (
          <Rows label={words.answers}>
            {read.map((answer) => (
              <Row key={answer.slug} name={textOf(words, answer)} about={words.by(answer.label, answer.party)} />
            ))}
          </Rows>
        )}
      </Shown>
    </Section>
  )
}

function textOf(words: Words['runs'], { content }: AnswerView): string {
  return content.kind === 'text' ? content.text : words[content.kind]
}
