import { shopApp } from './app.ts'

shopApp().synth()
