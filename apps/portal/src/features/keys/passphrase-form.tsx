import { Button, Form, PasswordField } from '@sealpost/ui'
import { Problem, useAct } from '@sealpost/web-app'
import { type ReactNode, useState } from 'react'
import { useWords } from '../../words/index.ts'
import { Narrow } from './narrow.tsx'

export interface PassphraseFormProps {
  readonly act: string
  readonly busy: string
  /** The password of the account is asked for, too. */
  readonly needsPassword?: boolean
  readonly onPassphrase: (passphrase: string, password: string | null) => Promise<void>
  /** Shown after it was done, until something else is typed. */
  readonly done: ReactNode
}

/** For what needs the passphrase of a service anew. It goes to the worker, and is not kept here either. */
export function PassphraseForm(props: PassphraseFormProps): ReactNode {
  const { act, busy, needsPassword = false, onPassphrase, done } = props
  const words = useWords().serviceKey
  const [passphrase, setPassphrase] = useState('')
  const [password, setPassword] = useState('')
  const [isTried, setTried] = useState(false)
  const [isDone, setDone] = useState(false)
  const acting = useAct()
  const send = async (): Promise<void> => {
    setTried(true)
    setDone(false)
    if (passphrase.trim() === '') return
    const isRight = await acting.run(() => onPassphrase(passphrase, needsPassword ? password : null))
    if (!isRight) return
    setPassphrase('')
    setPassword('')
    setTried(false)
    setDone(true)
  }
  return (
    <Narrow>
      <Form onSend={send}>
        <PasswordField
          label={words.passphrase}
          hint={words.passphraseHint}
          problem={isTried && passphrase.trim() === '' ? words.passphraseProblem : undefined}
          autoComplete="off"
          value={passphrase}
          onValue={(text) => {
            setPassphrase(text)
            setDone(false)
            acting.clear()
          }}
        />
        {needsPassword ? (
          <PasswordField
            label={words.password}
            hint={words.passwordHint}
            autoComplete="current-password"
            value={password}
            onValue={setPassword}
          />
        ) : null}
        <Problem failure={acting.failure} />
        {isDone ? done : null}
        <div>
          <Button type="submit" busy={acting.isBusy ? busy : null}>
            {act}
          </Button>
        </div>
      </Form>
    </Narrow>
  )
}
