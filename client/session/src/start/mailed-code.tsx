import { DigitsField, Form, Quiet } from '@sealpost/ui'
import { Problem, useAct } from '@sealpost/web-app'
import { type ReactNode, useState } from 'react'
import { call } from '../commands.ts'
import { useSessionWords } from '../words/index.ts'
import { StepButtons } from './step-buttons.tsx'

export function MailedCode({
  onDone,
  onBack,
}: {
  readonly onDone: (recoveryCode: string) => void
  readonly onBack: () => void
}): ReactNode {
  const { start } = useSessionWords()
  const { mail: words } = start.register
  const [code, setCode] = useState('')
  const [isTried, setTried] = useState(false)
  const act = useAct()
  const isWhole = code.length === 6
  const isRefused = act.failure?.kind === 'refused' && act.failure.key === 'request.invalid'
  const problem = isTried && !isWhole ? words.codeProblem : isRefused ? words.wrong : undefined
  return (
    <Form
      onSend={async () => {
        setTried(true)
        if (!isWhole) return
        await act.run(async () => onDone((await call('confirmRegistration', code)).recoveryCode))
      }}
    >
      <DigitsField label={words.code} value={code} onValue={setCode} problem={problem} />
      {isRefused ? null : <Problem failure={act.failure} />}
      <Quiet>{words.nothing}</Quiet>
      <StepButtons busy={act.isBusy ? words.busy : null} onBack={onBack} />
    </Form>
  )
}
