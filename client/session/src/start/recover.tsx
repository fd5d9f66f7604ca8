import { Button, Form, navigate, PasswordField, Quiet, TextArea, TextField } from '@sealpost/ui'
import { Problem, useAct } from '@sealpost/web-app'
import { type ReactNode, useState } from 'react'
import { call } from '../commands.ts'
import { takeWanted } from '../device/come-back.ts'
import { href } from '../routes.ts'
import { useSessionWords } from '../words/index.ts'
import { Outside } from './outside.tsx'
import { passwordProblem } from './password-rule.ts'
import { Recovery } from './recovery.tsx'

/** For a person who has forgotten the password: the code, a new password, and its new code. */
export default function Recover(): ReactNode {
  const { shell, start } = useSessionWords()
  const [made, setMade] = useState<{ readonly email: string; readonly recoveryCode: string } | null>(null)
  const words = start.recover
  if (made !== null)
    return (
      <Outside title={start.recovery.title} lead={start.recovery.lead}>
        <Recovery
          code={made.recoveryCode}
          email={made.email}
          onDone={() => navigate(takeWanted(), { replace: true })}
        />
      </Outside>
    )
  return (
    <Outside title={words.title} lead={words.lead} back={{ href: href('signIn'), label: shell.back }}>
      <RecoverForm onDone={setMade} />
      <Quiet>{words.noCode}</Quiet>
    </Outside>
  )
}

function RecoverForm({
  onDone,
}: {
  readonly onDone: (made: { readonly email: string; readonly recoveryCode: string }) => void
}): ReactNode {
  const { recover: words, signIn, register } = useSessionWords().start
  const [email, setEmail] = useState('')
  const [code, setCode] = useState('')
  const [otp, setOtp] = useState('')
  const [newPassword, setPassword] = useState('')
  const [isTried, setTried] = useState(false)
  const act = useAct()
  const problem = passwordProblem(newPassword, [email])
  const asksForOtp = act.failure?.kind === 'refused' && act.failure.key === 'session.otp_required'
  const send = async (): Promise<void> => {
    setTried(true)
    if (problem !== null) return
    const about = { email: email.trim(), code, newPassword, ...(otp === '' ? {} : { otp: otp.trim() }) }
    await act.run(async () => onDone({ email: about.email, ...(await call('recoverAccess', about)) }))
  }
  return (
    <Form onSend={send}>
      <TextField label={signIn.email} type="email" autoComplete="username" value={email} onValue={setEmail} />
      <TextArea label={words.code} hint={words.codeHint} value={code} onValue={setCode} rows={3} />
      <PasswordField
        label={words.newPassword}
        hint={register.password.hint}
        autoComplete="new-password"
        value={newPassword}
        onValue={setPassword}
        problem={isTried && problem !== null ? register.password[problem] : undefined}
      />
      {asksForOtp || otp !== '' ? (
        <TextField label={signIn.otp} hint={signIn.otpHint} isMono value={otp} onValue={setOtp} />
      ) : null}
      <Problem failure={act.failure} />
      <Button type="submit" look="main" busy={act.isBusy ? words.busy : null}>
        {words.send}
      </Button>
    </Form>
  )
}
