/** Before all tests: the agents are installed, and tests are told where. */
import type { TestProject } from 'vitest/node';
import { type Installed, installAll } from './install/install.ts';
import type { PackageName } from './install/versions.ts';

declare module 'vitest' {
  interface ProvidedContext {
    installed: Record<PackageName, Installed>;
  }
}

export async function setup(project: TestProject): Promise<void> {
  project.provide('installed', await installAll());
}
