import { Button, Buttons, Choices, Form, PasswordField } from '@sealpost/ui'
import { type ReactNode, useEffect, useState } from 'react'
import { deviceName } from '../../shell/device-name.ts'
import { canUsePasskey, setUpPasskey } from '../../shell/passkey.ts'
import { Problem } from '../../shell/problem.tsx'
import { useOpenSession } from '../../shell/session.ts'
import { useAct } from '../../shell/use-act.ts'
import { call } from '../../shell/worker-client.ts'
import { useWords } from '../../words/index.ts'

type Way = 'passkey' | 'passcode'

/** A passkey where the device has one that can keep a key; a passcode everywhere. */
export function SetUpUnlock({ onDone, canWait }: { readonly onDone: () => void; readonly canWait: boolean }): ReactNode {
  const words = useWords().start.unlock
  const { hasPassword } = useOpenSession()
  const [hasPasskey, setHasPasskey] = useState(false)
  const [chosen, setChosen] = useState<Way | null>(null)
  const [password, setPassword] = useState('')
  const [passcode, setPasscode] = useState('')
  const [repeated, setRepeated] = useState('')
  const [isTried, setTried] = useState(false)
  const act = useAct()
  useEffect(() => {
    void canUsePasskey().then(setHasPasskey)
  }, [])
  const way = chosen ?? (hasPasskey ? 'passkey' : 'passcode')
  const isDifferent = way === 'passcode' && passcode !== repeated
  const setUp = async (): Promise<void> => {
    if (!hasPassword) await call('provePassword', password)
    const name = deviceName(navigator.userAgent)
    await (way === 'passkey' ? setUpPasskey(name) : call('addPasscode', { passcode, name }))
  }
  const send = async (): Promise<void> => {
    setTried(true)
    if (!isDifferent && (await act.run(setUp))) onDone()
  }
  const ways = [
    { value: 'passkey', label: words.passkey, about: words.passkeyAbout },
    { value: 'passcode', label: words.passcode, about: words.passcodeAbout },
  ]
  return (
    <Form onSend={send}>
      {hasPasskey ? (
        <Choices
          legend={words.legend}
          value={way}
          onValue={(value) => setChosen(value === 'passkey' ? 'passkey' : 'passcode')}
          options={ways}
        />
      ) : null}
      {way === 'passcode' ? (
        <>
          <PasswordField
            label={words.choosePasscode}
            hint={words.passcodeAbout}
            autoComplete="off"
            value={passcode}
            onValue={setPasscode}
          />
          <PasswordField
            label={words.repeatPasscode}
            autoComplete="off"
            value={repeated}
            onValue={setRepeated}
            problem={isTried && isDifferent ? words.different : undefined}
          />
        </>
      ) : null}
      {hasPassword ? null : (
        <PasswordField
          label={words.passwordFirst}
          hint={words.passwordHint}
          autoComplete="current-password"
          value={password}
          onValue={setPassword}
        />
      )}
      <Problem failure={act.failure} />
      <Buttons isStacked>
        <Button type="submit" look="main" busy={act.isBusy ? words.busy : null}>
          {words.setUp}
        </Button>
        {canWait ? (
          <Button look="bare" onClick={onDone} disabled={act.isBusy}>
            {words.later}
          </Button>
        ) : null}
      </Buttons>
    </Form>
  )
}
