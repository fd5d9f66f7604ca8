import type { ReactNode } from 'react'
import { href } from '../routes.ts'
import { useSessionWords } from '../words/index.ts'
import { Outside } from './outside.tsx'
import { SignInForm } from './sign-in-form.tsx'
import classes from './start.module.css'

export default function SignIn(): ReactNode {
  const words = useSessionWords().start.signIn
  return (
    <Outside title={words.title} lead={words.lead}>
      <SignInForm />
      <div className={classes.links}>
        <a href={href('recover')}>{words.forgotten}</a>
        <a href={href('register')}>{words.create}</a>
      </div>
    </Outside>
  )
}
