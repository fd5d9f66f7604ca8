import { useOpenSession } from '@sealpost/session'
import { Button, Buttons, DigitsField, Form, formatWhen, Notice, Quiet, Section, useLanguage } from '@sealpost/ui'
import { nowMs, Problem, useAct } from '@sealpost/web-app'
import { type ReactNode, useState } from 'react'
import { call } from '../../shell/worker.ts'
import { useWords } from '../../words/index.ts'
import type { FieldView } from '../../worker/commands/data.ts'
import { verifiable } from './verifiable.ts'

/** Shows that a value is the person's own, once: what asks for a verified value takes it from then on. */
export function Verify({ field }: { readonly field: FieldView }): ReactNode {
  const words = useWords().data.verify
  const { language } = useLanguage()
  const { email } = useOpenSession()
  const state = verifiable(field, email)
  if (state.kind === 'never') return null
  return (
    <Section title={words.title}>
      {state.kind === 'verified' ? <Quiet>{words.verified(formatWhen(language, state.at, nowMs()))}</Quiet> : null}
      {state.kind === 'other_address' ? <Quiet>{words.otherAddress(email)}</Quiet> : null}
      {state.kind === 'open' ? <Prove fieldId={field.id} by={state.by} /> : null}
    </Section>
  )
}

function Prove({ fieldId, by }: { readonly fieldId: string; readonly by: 'email' | 'sms' }): ReactNode {
  const { data, shell } = useWords()
  const words = data.verify
  const [sent, setSent] = useState<string | null>(null)
  const [code, setCode] = useState('')
  const [isTried, setTried] = useState(false)
  const act = useAct()
  const isRefused = act.failure?.kind === 'refused' && act.failure.key === 'request.invalid'
  const begin = async (): Promise<void> => {
    setSent((await call('beginVerification', { fieldId, by })).verificationId)
    setCode('')
  }
  if (sent === null)
    return (
      <>
        <Quiet>{words.about[by]}</Quiet>
        {isRefused ? <Notice kind="bad" {...words.cannotSend} /> : <Problem failure={act.failure} />}
        <div>
          <Button busy={act.isBusy ? words.sending : null} onClick={() => void act.run(begin)}>
            {words.send[by]}
          </Button>
        </div>
      </>
    )
  const isWhole = code.length === 6
  const problem = isTried && !isWhole ? words.codeProblem : isRefused ? words.wrong : undefined
  return (
    <Form
      onSend={async () => {
        setTried(true)
        if (isWhole) await act.run(() => call('confirmVerification', { fieldId, verificationId: sent, code }))
      }}
    >
      <DigitsField label={words.code[by]} value={code} onValue={setCode} problem={problem} />
      {isRefused ? null : <Problem failure={act.failure} />}
      <Buttons>
        <Button type="submit" look="main" busy={act.isBusy ? words.confirming : null}>
          {words.confirm}
        </Button>
        <Button look="bare" onClick={() => setSent(null)}>
          {shell.cancel}
        </Button>
      </Buttons>
    </Form>
  )
}
