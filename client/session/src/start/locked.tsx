import { Button, Buttons, FailureError, Form, PasswordField, Quiet, TearOff } from '@sealpost/ui'
import { Problem, useAct } from '@sealpost/web-app'
import { Fingerprint } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { call } from '../commands.ts'
import { readPasskeySecret } from '../device/passkey.ts'
import { href } from '../routes.ts'
import { useSessionWords } from '../words/index.ts'
import type { SessionState } from '../worker/commands/session.ts'
import { Outside } from './outside.tsx'
import { SignInForm } from './sign-in-form.tsx'
import classes from './start.module.css'

type LockedSession = Extract<SessionState, { readonly state: 'locked' }>

/** Over every page until the person has opened it; then the page that was asked for is shown. */
export default function Locked({ session }: { readonly session: LockedSession }): ReactNode {
  const { locked: words, signIn } = useSessionWords().start
  const [byPassword, setByPassword] = useState(false)
  const { displayName, email, unlock } = session
  const isByPassword = byPassword || unlock.kind === 'password'
  return (
    <Outside title={words.title(displayName)} lead={words.lead}>
      {isByPassword ? <SignInForm email={email} /> : <Unlock unlock={unlock} onEnded={() => setByPassword(true)} />}
      <div className={classes.links}>
        {isByPassword ? (
          <a href={href('recover')}>{signIn.forgotten}</a>
        ) : (
          <button className={classes.link} type="button" onClick={() => setByPassword(true)}>
            {words.other}
          </button>
        )}
      </div>
      <NotYou />
    </Outside>
  )
}

function Unlock({
  unlock,
  onEnded,
}: {
  readonly unlock: LockedSession['unlock']
  readonly onEnded: () => void
}): ReactNode {
  const words = useSessionWords().start.locked
  const [passcode, setPasscode] = useState('')
  const act = useAct()
  const open = async (): Promise<void> => {
    if (unlock.kind === 'passkey') {
      const secret = await readPasskeySecret(unlock.credentialId, unlock.rpId)
      if (secret === null) throw new FailureError({ kind: 'own', key: 'passkey_refused' })
      await call('unlockByPasskey', secret)
    } else await call('unlockByPasscode', passcode)
  }
  const hasEnded = act.failure?.kind === 'own' && ['session_ended', 'no_unlock'].includes(act.failure.key)
  return (
    <Form onSend={() => act.run(open).then(() => setPasscode(''))}>
      {unlock.kind === 'passcode' ? (
        <PasswordField label={words.passcode} autoComplete="off" autoFocus value={passcode} onValue={setPasscode} />
      ) : null}
      <Problem failure={act.failure} />
      <Button
        type="submit"
        look="main"
        icon={unlock.kind === 'passkey' ? <Fingerprint size={20} aria-hidden /> : null}
        busy={act.isBusy ? words.opening : null}
      >
        {words.open}
      </Button>
      {hasEnded ? <Button onClick={onEnded}>{words.other}</Button> : null}
    </Form>
  )
}

function NotYou(): ReactNode {
  const { start, shell } = useSessionWords()
  const words = start.locked
  const [isAsked, setAsked] = useState(false)
  const act = useAct()
  if (!isAsked)
    return (
      <button className={classes.link} type="button" onClick={() => setAsked(true)}>
        {words.notYou}
      </button>
    )
  return (
    <TearOff
      title={words.leaveTitle}
      act={
        <>
          <Problem failure={act.failure} />
          <Buttons>
            <Button
              look="danger"
              busy={act.isBusy ? words.leaving : null}
              onClick={() => void act.run(() => call('logOut'))}
            >
              {words.leave}
            </Button>
            <Button onClick={() => setAsked(false)}>{shell.cancel}</Button>
          </Buttons>
        </>
      }
    >
      <Quiet>{words.leaveAbout}</Quiet>
    </TearOff>
  )
}
