import { navigate } from '@sealpost/ui'
import { type ReactNode, useState } from 'react'
import { takeWanted } from '../device/come-back.ts'
import { useSessionWords } from '../words/index.ts'
import { AboutYou, type AboutYouAnswers } from './about-you.tsx'
import { ChoosePassword } from './choose-password.tsx'
import { MailedCode } from './mailed-code.tsx'
import { Outside } from './outside.tsx'
import { Recovery } from './recovery.tsx'
import { SetUpUnlock } from './set-up-unlock.tsx'

const STEPS = ['about', 'password', 'mail', 'recovery', 'unlock'] as const
type Step = (typeof STEPS)[number]

/** One question at a time; the account exists after the mail. */
export default function Register(): ReactNode {
  const { register, recovery, unlock } = useSessionWords().start
  const [step, setStep] = useState<Step>('about')
  const [about, setAbout] = useState<AboutYouAnswers>({ displayName: '', email: '', region: '' })
  const [recoveryCode, setRecoveryCode] = useState('')
  const label = register.step(STEPS.indexOf(step) + 1, STEPS.length)
  switch (step) {
    case 'about':
      return (
        <Outside above={label} title={register.about.title} lead={register.about.lead}>
          <AboutYou
            given={about}
            onDone={(given) => {
              setAbout(given)
              setStep('password')
            }}
          />
        </Outside>
      )
    case 'password':
      return (
        <Outside above={label} title={register.password.title} lead={register.password.lead}>
          <ChoosePassword about={about} onDone={() => setStep('mail')} onBack={() => setStep('about')} />
        </Outside>
      )
    case 'mail':
      return (
        <Outside above={label} title={register.mail.title} lead={register.mail.lead(about.email)}>
          <MailedCode
            onBack={() => setStep('about')}
            onDone={(code) => {
              setRecoveryCode(code)
              setStep('recovery')
            }}
          />
        </Outside>
      )
    case 'recovery':
      return (
        <Outside above={label} title={recovery.title} lead={recovery.lead}>
          <Recovery code={recoveryCode} email={about.email} onDone={() => setStep('unlock')} />
        </Outside>
      )
    case 'unlock':
      return (
        <Outside above={label} title={unlock.setUpTitle} lead={unlock.setUpLead}>
          <SetUpUnlock onDone={() => navigate(takeWanted(), { replace: true })} canWait />
        </Outside>
      )
  }
}
