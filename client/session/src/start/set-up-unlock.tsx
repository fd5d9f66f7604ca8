import { Button, Buttons, Choices, Form, PasswordField } from '@sealpost/ui'
import { Problem, useAct } from '@sealpost/web-app'
import { type ReactNode, useEffect, useState } from 'react'
import { call } from '../commands.ts'
import { deviceName } from '../device/device-name.ts'
import { canUsePasskey, setUpPasskey } from '../device/passkey.ts'
import { useOpenSession } from '../device/session.ts'
import { useSessionWords } from '../words/index.ts'

type Way = 'passkey' | 'passcode'

/** A passkey where the device has one that can keep a key; a passcode everywhere. */
export function SetUpUnlock({
  onDone,
  canWait,
}: {
  readonly onDone: () => void
  readonly canWait: boolean
}): ReactNode {
  const words = useSessionWords().start.unlock
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
  return (
    <Form onSend={send}>
      {hasPasskey ? <Ways way={way} onWay={setChosen} /> : null}
      {way === 'passcode' ? (
        <NewPasscode
          passcode={passcode}
          onPasscode={setPasscode}
          repeated={repeated}
          onRepeated={setRepeated}
          problem={isTried && isDifferent ? words.different : undefined}
        />
      ) : null}
      {hasPassword ? null : <PasswordOnceMore value={password} onValue={setPassword} />}
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

function Ways({ way, onWay }: { readonly way: Way; readonly onWay: (way: Way) => void }): ReactNode {
  const words = useSessionWords().start.unlock
  const options = [
    { value: 'passkey', label: words.passkey, about: words.passkeyAbout },
    { value: 'passcode', label: words.passcode, about: words.passcodeAbout },
  ]
  return (
    <Choices
      legend={words.legend}
      value={way}
      onValue={(value) => onWay(value === 'passkey' ? 'passkey' : 'passcode')}
      options={options}
    />
  )
}

function NewPasscode({
  passcode,
  onPasscode,
  repeated,
  onRepeated,
  problem,
}: {
  readonly passcode: string
  readonly onPasscode: (value: string) => void
  readonly repeated: string
  readonly onRepeated: (value: string) => void
  readonly problem: string | undefined
}): ReactNode {
  const words = useSessionWords().start.unlock
  return (
    <>
      <PasswordField
        label={words.choosePasscode}
        hint={words.passcodeAbout}
        autoComplete="off"
        value={passcode}
        onValue={onPasscode}
      />
      <PasswordField
        label={words.repeatPasscode}
        autoComplete="off"
        value={repeated}
        onValue={onRepeated}
        problem={problem}
      />
    </>
  )
}

function PasswordOnceMore(typed: { readonly value: string; readonly onValue: (value: string) => void }): ReactNode {
  const words = useSessionWords().start.unlock
  return (
    <PasswordField {...typed} label={words.passwordFirst} hint={words.passwordHint} autoComplete="current-password" />
  )
}
