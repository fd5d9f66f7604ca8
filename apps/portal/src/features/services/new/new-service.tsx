import { useOpenSession } from '@sealpost/session'
import { ButtonLink } from '@sealpost/ui'
import { type ReactNode, useState } from 'react'
import { href } from '../../../routes.ts'
import { useIdleLock } from '../../../shell/use-idle-lock.ts'
import { useWords } from '../../../words/index.ts'
import type { MadeServiceView } from '../../../worker/commands/new-service.ts'
import { AboutStep } from './about-step.tsx'
import type { About } from './about.ts'
import { Course } from './course.tsx'
import { KeyStep, type NewKey } from './key-step.tsx'
import { ReadyStep } from './ready-step.tsx'

/** A service is made in three steps. Nothing exists before its passphrase was shown and read back. */
export default function NewService(): ReactNode {
  useIdleLock()
  const words = useWords().newService
  const { email } = useOpenSession()
  const [about, setAbout] = useState<About>({ name: '', adminEmail: email, audience: 'both', shareCode: '' })
  const [key, setKey] = useState<NewKey | null>(null)
  const [isNamed, setNamed] = useState(false)
  const [made, setMade] = useState<MadeServiceView | null>(null)
  const at = made !== null ? 2 : isNamed ? 1 : 0
  const leave =
    made === null ? (
      <ButtonLink look="bare" href={href('services')}>
        {words.leave}
      </ButtonLink>
    ) : null
  return (
    <Course steps={words.steps} at={at} leave={leave}>
      {made !== null ? (
        <ReadyStep made={made} />
      ) : isNamed ? (
        <KeyStep
          about={about}
          known={key}
          onKey={setKey}
          onBack={() => setNamed(false)}
          onMade={(service) => {
            // Stored by now; it should not stay in the page.
            setKey(null)
            setMade(service)
          }}
        />
      ) : (
        <AboutStep about={about} onAbout={setAbout} onDone={() => setNamed(true)} />
      )}
    </Course>
  )
}
