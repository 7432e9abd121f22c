// For every test of the page: a slow machine is waited for. Only what never comes fails.
import { configure } from "@testing-library/svelte";

configure({ asyncUtilTimeout: 30_000 });
