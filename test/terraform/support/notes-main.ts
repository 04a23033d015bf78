import { processHost, serve } from '../../../src/terraform/serve/serve.ts'
import { defineNotes } from './test-provider.ts'

void serve(defineNotes, processHost(process))
