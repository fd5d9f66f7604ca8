import { Button, Form, navigate, Page, PasswordField } from '@sealpost/ui'
import { Problem, useAct } from '@sealpost/web-app'
import { type ReactNode, useState } from 'react'
import { call } from '../commands.ts'
import { useOpenSession } from '../device/session.ts'
import { href } from '../routes.ts'
import { passwordProblem } from '../start/password-rule.ts'
import { Recovery } from '../start/recovery.tsx'
import { useSessionWords } from '../words/index.ts'

export default function Password(): ReactNode {
  const { settings, start } = useSessionWords()
  const { email } = useOpenSession()
  const [code, setCode] = useState<string | null>(null)
  const back = { href: href('settings'), label: settings.title }
  if (code !== null)
    return (
      <Page title={start.recovery.title} lead={start.recovery.lead}>
        <Recovery code={code} email={email} onDone={() => navigate(back.href)} />
      </Page>
    )
  return (
    <Page title={settings.passwordPage.title} lead={settings.passwordPage.lead} back={back}>
      <ChangePassword onDone={setCode} />
    </Page>
  )
}

function ChangePassword({ onDone }: { readonly onDone: (recoveryCode: string) => void }): ReactNode {
  const { settings, start } = useSessionWords()
  const { email } = useOpenSession()
  const words = settings.passwordPage
  const [password, setPassword] = useState('')
  const [newPassword, setNew] = useState('')
  const [isTried, setTried] = useState(false)
  const act = useAct()
  const problem = passwordProblem(newPassword, [email])
  return (
    <Form
      onSend={async () => {
        setTried(true)
        if (problem !== null) return
        await act.run(async () => onDone((await call('changePassword', { password, newPassword })).recoveryCode))
      }}
    >
      <PasswordField label={words.current} autoComplete="current-password" value={password} onValue={setPassword} />
      <PasswordField
        label={words.next}
        hint={start.register.password.hint}
        autoComplete="new-password"
        value={newPassword}
        onValue={setNew}
        problem={isTried && problem !== null ? start.register.password[problem] : undefined}
      />
      <Problem failure={act.failure} />
      <Button type="submit" look="main" busy={act.isBusy ? words.busy : null}>
        {words.change}
      </Button>
    </Form>
  )
}
