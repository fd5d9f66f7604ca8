import { Button, Form, PasswordField, TextField, Tick } from '@sealpost/ui'
import { Problem, useAct } from '@sealpost/web-app'
import { type ReactNode, useState } from 'react'
import { call } from '../commands.ts'
import { useSessionWords } from '../words/index.ts'

/** `email`: known already, when this device is signed out. */
export function SignInForm({ email: known }: { readonly email?: string }): ReactNode {
  const words = useSessionWords().start.signIn
  const [email, setEmail] = useState(known ?? '')
  const [password, setPassword] = useState('')
  const [otp, setOtp] = useState('')
  const [trustDevice, setTrust] = useState(false)
  const [needsOtp, setNeedsOtp] = useState(false)
  const act = useAct()
  const failure = act.failure
  const asksForOtp = failure?.kind === 'refused' && failure.key === 'session.otp_required'
  if (asksForOtp && !needsOtp) setNeedsOtp(true)
  const send = async (): Promise<void> => {
    const second = needsOtp ? { otp: otp.trim(), trustDevice } : {}
    await act.run(() => call('logIn', { email: email.trim(), password, ...second }))
  }
  return (
    <Form onSend={send}>
      {known === undefined ? (
        <TextField
          label={words.email}
          type="email"
          inputMode="email"
          autoComplete="username"
          value={email}
          onValue={setEmail}
        />
      ) : (
        <input type="hidden" autoComplete="username" value={email} readOnly />
      )}
      <PasswordField
        label={words.password}
        autoComplete="current-password"
        autoFocus={known !== undefined}
        value={password}
        onValue={setPassword}
      />
      {needsOtp ? (
        <>
          <TextField
            label={words.otp}
            hint={words.otpHint}
            autoComplete="one-time-code"
            isMono
            value={otp}
            onValue={setOtp}
          />
          <Tick label={words.trust} isOn={trustDevice} onChange={setTrust} />
        </>
      ) : null}
      <Problem failure={failure} />
      <Button type="submit" look="main" busy={act.isBusy ? words.busy : null}>
        {words.send}
      </Button>
    </Form>
  )
}
