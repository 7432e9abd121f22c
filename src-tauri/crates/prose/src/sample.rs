//! A few records of the arXiv sample (metadata under CC0 1.0), so that the tests read real abstracts.

use crate::compose::ArticleText;

pub(crate) const RECORDS: [ArticleText<'static>; 7] = [
    ArticleText {
        title: "Semantic Motion Anchors: Bridging Motion and Meaning in Co-Speech Gestures",
        source: "arXiv",
        published: "2026-06-01",
        text: "Learning a shared representation between spoken text and gesture is central to co-speech gesture \
         retrieval, synthesis, and understanding, but remains challenging for semantically meaningful \
         gestures whose communicative intent is not captured by motion alone. Direct contrastive alignment \
         between transcripts and continuous motion embeddings often overemphasizes low-level kinematics and \
         misses the symbolic content of semantic gestures. We propose semantic motion anchors, \
         natural-language abstractions of gesture motion capturing physical form and communicative intent. \
         Our method discretizes 3D gestures into body-hand motion primitives, verbalizes them into structured \
         descriptions, and grounds them in the transcript to provide auxiliary contrastive supervision. On \
         BEAT2, our method improves text-to-gesture R@1 by 8.2% over a direct text-motion baseline and \
         outperforms prior retrieval approaches on text to gesture and gesture to text retrieval directions. \
         Beyond aggregate retrieval metrics, semantic motion anchor supervision helps retrieve gestures that \
         are semantically meaningful for the spoken query, rather than defaulting to generic motion patterns. \
         A downstream retrieval-augmented gesture generation study showed that users significantly preferred \
         gestures retrieved by our approach over a retrieval-augmented generation baseline, demonstrating \
         that semantically grounded retrieval translates to gestures that better convey communicative intent \
         in downstream generation.",
    },
    ArticleText {
        title: "COFT: Counterfactual-Conformal Decoding for Fair Chain-of-Thought Reasoning in Large Language Models",
        source: "arXiv",
        published: "2026-06-01",
        text: "Large language models (LLMs) can reveal and amplify societal biases during chain-of-thought (CoT) \
         generation. We present COFT (Chain of Fair Thought), a training-free decoding method that applies \
         token-level fairness control at decode time, with distribution-free marginal validity guarantees \
         (under exchangeability) for any frozen causal language model. COFT operates in three stages. First, \
         it creates a masked counterfactual prompt by replacing sensitive spans with neutral tokens. Second, \
         it compares the factual and masked logit distributions through lightweight logit fusion to attenuate \
         attribute-driven biases. Third, it uses dual-branch split-conformal calibration to certify per-step \
         candidate token sets at a user-chosen risk level. We evaluate COFT across six models and multiple \
         bias benchmarks. Our method reduces standard bias metrics by 30-55% (median 38%) while preserving \
         task utility and language quality. Reasoning accuracies remain unchanged within run-to-run noise \
         margins. The computational overhead is modest, equivalent to one additional cached forward pass \
         (<=11%). COFT offers a clear, auditable path to safer CoT generation with significant bias \
         reduction, negligible utility loss, and no requirement for retraining, auxiliary classifiers, or \
         weight access.",
    },
    ArticleText {
        title: "AdaMem: Learning What to Remember for Personalized Long-Horizon LLM Agents",
        source: "arXiv",
        published: "2026-06-23",
        text: "Long-term memory systems for Large Language Model (LLM) agents typically try to \\emph{remember \
         everything}, extracting memories uniformly to retain as many facts as possible. In production, \
         however, inference cost and finite context budgets make this untenable: beyond consolidating raw \
         dialogue into memory, an agent must exert \\emph{write control}, efficiently keeping only the \
         information each user actually cares about. Otherwise, long-horizon personalized interactions suffer \
         \\emph{memory bloat}, where irrelevant trivia crowds out useful information and steadily erodes \
         question-answering (QA) accuracy. We argue that what is worth remembering is role-dependent, and \
         propose \\textbf{AdaMem} (Adaptive Memory), a method that \\emph{learns what to remember} for each \
         user from feedback. AdaMem maintains a structured, role-specific Memory Policy and refines it from \
         weekly QA feedback through a lightweight, patch-style self-reflection step with failure rollback. To \
         study this setting, we build \\textbf{AdaMem-Bench}, a benchmark that simulates weeks of interaction \
         with week-by-week QA. Across two extraction models and two feedback modes, AdaMem improves QA \
         accuracy by up to \\textbf{+9.0\\%} over the uniform Mem0 baseline while shrinking memory volume by \
         \\textbf{9\\%}.",
    },
    ArticleText {
        title: "SafeMCP: Proactive Power Regulation for LLM Agent Defense via Environment-Grounded Look-Ahead Reasoning",
        source: "arXiv",
        published: "2026-06-02",
        text: "As Large Language Model (LLM) agents increasingly leverage the Model Context Protocol (MCP) to \
         operate in complex environments, the expansion of their action spaces offers agents unsafe \
         capabilities and underscores the risk of power-seeking. While broad action space and greater \
         environment influence are essential for task fulfillment, they create a fragile risk surface where \
         minor errors or hallucinations are magnified into catastrophic failures. In response, we propose \
         SafeMCP, a {server-side} defense plugin that constrains tool acquisition via predictive reasoning \
         regarding future safety risks. SafeMCP utilizes an internal world model for look-ahead reasoning to \
         implement a two-tier defense: proactive tool filtering to constrain hazardous power expansion and \
         immediate intervention as a fail-safe. To train SafeMCP, we introduce a three-stage pipeline \
         comprising environmental dynamic grounding, safe policy initialization, and reinforcement learning \
         (RL) with dual verifiable rewards. Experiments on PowerSeeking Bench, ToolEmu, and AgentHarm show \
         that SafeMCP achieves a safe equilibrium, effectively mitigating risks while preserving agent \
         utility.",
    },
    ArticleText {
        title: "Pitch Spelling Jazz Lead Sheets, Solo Transcriptions, Classical Piano and Monophonic Scores",
        source: "arXiv",
        published: "2026-06-19",
        text: "We present an algorithm for pitch spelling and key estimation. Given an input in MIDI-like format, \
         containing information on note pitches (expressed in semitones relative to the lowest reference \
         note) and bar boundaries, it estimates the appropriate note names, a global Key Signature, and a \
         local scale for each bar. This related information elements are evaluated jointly during two stages \
         of optimisation. During an initial 'modal' stage, a probable scale is proposed for each bar, \
         minimising the number of accidentals to be printed in the printed score with a shortest-path search. \
         Then, during a second stage called 'tonal', these local scales are used to estimate the Key \
         Signature and note names that would result in the best musical notation for the entire piece. We \
         present evaluations conducted on datasets comprising a variety of digital musical scores: jazz lead \
         sheets taken from the Real Book, transcriptions of recordings of jazz soli and bass lines, \
         traditional tunes, as well as classical scores for piano and monophonic instruments. Our procedure \
         was originally designed for use in music transcription, specifically for building digital \
         collections of jazz solos transcribed from audio recordings, for the purposes of music analysis, \
         teaching and the preservation of cultural heritage. This method should also prove useful for other \
         tasks related to the processing of musical notation. Furthermore, to this end, we have defined new \
         distances between various common jazz scales, which may be of some interest to musicological \
         studies.",
    },
    ArticleText {
        title: "HIPIF: Hierarchical Planning and Information Folding for Long-Horizon LLM Agent Learning",
        source: "arXiv",
        published: "2026-06-10",
        text: "While Large Language Models (LLMs) have demonstrated strong capabilities as autonomous agents across \
         a wide range of tasks, their performance often degrades in multi-turn long-horizon agentic tasks. \
         Existing methods have made progress through fine-grained credit assignment to alleviate long-horizon \
         sparse rewards and hierarchical reinforcement learning to decompose tasks and reduce long-term \
         dependency. However, these methods still do not directly address long-context interference, in which \
         continuously growing histories weaken the agent's ability to track the global task state and impair \
         subsequent reasoning and decision-making. Inspired by the way humans handle complex tasks through \
         subgoal decomposition and completed progress summarization, we propose Hierarchical Planning and \
         Information Folding (HIPIF) for long-horizon LLM agent learning. HIPIF trains the agent end-to-end \
         to organize long-horizon execution around explicit subgoals while folding completed subgoal \
         histories to reduce long-context interference. Furthermore, to stabilize subgoal-based planning and \
         execution, HIPIF combines hierarchical reflection and subgoal-oriented process rewards to guide \
         subgoal generation, transition, and execution, without relying on costly auxiliary models or \
         task-specific expert trajectories. Extensive experiments on three publicly available agentic \
         benchmarks demonstrate the validity of our method.",
    },
    ArticleText {
        title: "SimuScene: Simulation-Ready Compositional 3D Scene Reconstruction from a Single Image",
        source: "arXiv",
        published: "2026-06-03",
        text: "Reconstructing interactive, simulation-ready 3D scenes from a single image is a critical bottleneck \
         for robotic manipulation. While recent single-image lifters recover plausible per-object shapes, \
         composing them yields scenes that collapse under physical simulation due to interpenetrating, \
         hovering, or sinking objects. Existing physics-aware methods address this strictly as a post-hoc \
         layout correction, leaving the underlying geometric errors unresolved. To address this, we introduce \
         SimuScene, a compositional 3D reconstruction pipeline that puts physics in the loop of shape and \
         layout estimation. Rather than using physics merely for layout cleanup, we utilize the physics \
         engine as a diagnostic measurement tool during the generative process itself. By diagnostically \
         simulating reconstructed objects under gravity, we convert penetration and support failures into \
         quantitative correction signals that drive gravity-axis stretching and amodal shape resampling. This \
         physics-informed feedback loop mitigates accumulated reconstruction errors and produces a stable, \
         simulation-ready compositional 3D scene. Extensive experiments demonstrate state-of-the-art \
         performance on physical stability and geometric alignment benchmarks. We further highlight \
         SimuScene's utility by deploying reconstructed environments in humanoid control and robot-arm \
         manipulation tasks.",
    },
];
