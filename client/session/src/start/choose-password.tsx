import { Form, PasswordField, useLanguage } from '@sealpost/ui'
import { Problem, useAct } from '@sealpost/web-app'
import { type ReactNode, useState } from 'react'
import { call } from '../commands.ts'
import { useSessionWords } from '../words/index.ts'
import type { AboutYouAnswers } from './about-you.tsx'
import { passwordProblem } from './password-rule.ts'
import { StepButtons } from './step-buttons.tsx'

export function ChoosePassword({
  about,
  onDone,
  onBack,
}: {
  readonly about: AboutYouAnswers
  readonly onDone: () => void
  readonly onBack: () => void
}): ReactNode {
  const { start } = useSessionWords()
  const { language } = useLanguage()
  const { password: words } = start.register
  const [password, setPassword] = useState('')
  const [isTried, setTried] = useState(false)
  const act = useAct()
  const problem = passwordProblem(password, [about.email, about.displayName])
  return (
    <Form
      onSend={async () => {
        setTried(true)
        if (problem !== null) return
        const isDone = await act.run(() => call('register', { ...about, password, language }))
        if (isDone) onDone()
      }}
    >
      {/* Password managers file the password under this. */}
      <input type="hidden" autoComplete="username" value={about.email} readOnly />
      <PasswordField
        label={words.password}
        hint={words.hint}
        value={password}
        onValue={setPassword}
        autoComplete="new-password"
        autoFocus
        problem={isTried && problem !== null ? words[problem] : undefined}
      />
      <Problem failure={act.failure} />
      <StepButtons busy={act.isBusy ? words.busy : null} onBack={onBack} />
    </Form>
  )
}
